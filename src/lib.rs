//! Sutler: a rules language for wargame designers.
