//! Talking to the desktop's portal over the session bus.
//!
//! What a person may have to allow is a request: the call returns at once, and the answer comes as a signal.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use zbus::MatchRule;
use zbus::blocking::{Connection, MessageIterator, Proxy};
use zbus::message::Type as MessageType;
use zbus::zvariant::{self, DynamicType, OwnedObjectPath, OwnedValue, Value};

use super::Refused;

const DESTINATION: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
pub(super) const REMOTE_DESKTOP: &str = "org.freedesktop.portal.RemoteDesktop";
pub(super) const SCREEN_CAST: &str = "org.freedesktop.portal.ScreenCast";
const SESSION: &str = "org.freedesktop.portal.Session";

/// What is asked for or answered, by name.
pub(super) type Options<'a> = HashMap<&'a str, Value<'a>>;
pub(super) type Answers = HashMap<String, OwnedValue>;

/// The connection to the portal.
pub(super) struct Bus {
    connection: Connection,
    remote_desktop: Proxy<'static>,
    screen_cast: Proxy<'static>,
    answers: Mutex<Receiver<Answer>>,
    /// Whether the desktop has ended the session.
    closed: Arc<AtomicBool>,
    requests: AtomicU32,
}

/// The answer to the request of this path: 0 for yes, 1 for a person's no, anything else for trouble.
struct Answer {
    request: String,
    code: u32,
    answers: Answers,
}

impl Bus {
    /// # Errors
    /// [`Refused::NoPortal`].
    pub(super) fn connect() -> Result<Self, Refused> {
        let no_portal = |source: zbus::Error| Refused::NoPortal { source: source.into() };
        let connection = Connection::session().map_err(no_portal)?;
        let proxy =
            |interface| Proxy::new(&connection, DESTINATION, PATH, interface).map_err(no_portal);
        let (remote_desktop, screen_cast) = (proxy(REMOTE_DESKTOP)?, proxy(SCREEN_CAST)?);
        let signals = || {
            let rule = MatchRule::builder().msg_type(MessageType::Signal).sender(DESTINATION)?;
            let rule = rule.path_namespace(PATH)?.build();
            MessageIterator::for_match_rule(rule, &connection, None)
        };
        let (told, answers) = mpsc::channel();
        let closed = Arc::new(AtomicBool::new(false));
        let (is_closed, signals) = (closed.clone(), signals().map_err(no_portal)?);
        thread::spawn(move || {
            for signal in signals.map_while(Result::ok) {
                let header = signal.header();
                match (header.member().map(|name| name.as_str()), header.path()) {
                    (Some("Closed"), Some(path)) if path.contains("/session/") => {
                        is_closed.store(true, Ordering::Relaxed);
                    }
                    (Some("Response"), Some(path)) => {
                        let request = path.to_string();
                        let Ok((code, answers)) = signal.body().deserialize() else { continue };
                        if told.send(Answer { request, code, answers }).is_err() {
                            return;
                        }
                    }
                    _ => {}
                }
            }
        });
        let requests = AtomicU32::new(0);
        let answers = Mutex::new(answers);
        Ok(Self { connection, remote_desktop, screen_cast, answers, closed, requests })
    }

    /// A number that an interface of the portal tells of itself; 0 when the desktop does not have it.
    pub(super) fn number(&self, interface: &str, name: &str) -> u32 {
        self.proxy(interface).get_property(name).unwrap_or(0)
    }

    /// Calls a method, and waits for what it returns.
    pub(super) fn call<B, R>(&self, interface: &str, method: &str, body: &B) -> zbus::Result<R>
    where
        B: Serialize + DynamicType,
        R: for<'d> zvariant::DynamicDeserialize<'d>,
    {
        self.proxy(interface).call(method, body)
    }

    /// A name that no other request and no session of this connection has.
    pub(super) fn new_token(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("minescraper_{}_{number}", std::process::id())
    }

    /// Makes a request, and waits until it is answered. `body` makes what is asked of `options`.
    ///
    /// # Errors
    /// When a person says no, nobody answers within `patience`, or the desktop cannot.
    pub(super) fn request<'o, B: Serialize + DynamicType>(
        &self,
        interface: &str,
        method: &str,
        mut options: Options<'o>,
        patience: Duration,
        body: impl FnOnce(Options<'o>) -> B,
    ) -> Result<Answers, Refused> {
        options.insert("handle_token", self.new_token().into());
        let failed = |source: zbus::Error| Refused::Failed {
            asked: method.to_owned(),
            source: source.into(),
        };
        let request: OwnedObjectPath =
            self.call(interface, method, &body(options)).map_err(failed)?;
        let end = Instant::now() + patience;
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match answers.recv_timeout(left) {
                Ok(answer) if answer.request != request.as_str() => {}
                Ok(Answer { code: 0, answers, .. }) => return Ok(answers),
                Ok(Answer { code: 1, .. }) => return Err(Refused::Cancelled),
                Ok(Answer { .. }) => return Err(Refused::Ended),
                Err(RecvTimeoutError::Timeout) => return Err(Refused::NoAnswer { patience }),
                Err(RecvTimeoutError::Disconnected) => return Err(Refused::Ended),
            }
        }
    }

    /// Whether the desktop has ended the session: a person may do that at any time.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Ends `session` and the connection.
    pub(super) fn close(&self, session: &OwnedObjectPath) {
        let ended =
            self.connection.call_method(Some(DESTINATION), session, Some(SESSION), "Close", &());
        if let Err(error) = ended.and_then(|_| self.connection.clone().close()) {
            log::debug!("the session of the portal ended by itself: {error}");
        }
    }

    fn proxy(&self, interface: &str) -> &Proxy<'static> {
        if interface == SCREEN_CAST { &self.screen_cast } else { &self.remote_desktop }
    }
}
