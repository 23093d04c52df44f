//! How many words the machine takes at once. The loops are written once, over words; the width only
//! says for which instructions they are compiled, so that every width gives the same bits.

use pulp::{Simd, WithSimd};

use super::super::machine::Machine;

/// How many words are taken at once.
#[derive(Debug, Clone, Copy)]
pub struct Width {
    machine: Machine,
    name: &'static str,
}

impl Default for Width {
    fn default() -> Width {
        Width::all().pop().unwrap_or(Width { machine: Machine::scalar(), name: "scalar" })
    }
}

impl Width {
    /// Every width that this machine has, the narrowest first.
    #[must_use]
    pub fn all() -> Vec<Width> {
        let mut all = vec![Width { machine: Machine::scalar(), name: "scalar" }];
        #[cfg(target_arch = "x86_64")]
        {
            use pulp::{Arch, x86};
            let width = |arch, name| Width { machine: Machine::of(arch), name };
            let avx2 = x86::V3::try_new().map(|v| width(Arch::V3(v), "x86-64-v3"));
            let avx512 = x86::V4::try_new().map(|v| width(Arch::V4(v), "x86-64-v4"));
            all.extend(avx2.into_iter().chain(avx512));
        }
        #[cfg(not(target_arch = "x86_64"))]
        all.push(Width { machine: Machine::new(), name: "widest" });
        all
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Runs loops at this width.
    #[inline]
    pub(super) fn run<T>(self, work: impl Work<Output = T>) -> T {
        self.machine.dispatch(Compiled(work))
    }
}

/// Loops that are compiled for every width: all that `run` calls is inlined.
pub(super) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

struct Compiled<W>(W);

impl<W: Work> WithSimd for Compiled<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> W::Output {
        self.0.run()
    }
}
