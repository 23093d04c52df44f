//! Which instructions loops run on. The loops are written once; that of the machine is only what
//! they are compiled for, so that each gives the same bits.

#[cfg(not(target_family = "wasm"))]
use pulp::Arch;
use pulp::WithSimd;

/// Instructions that the machine has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Machine {
    #[cfg(not(target_family = "wasm"))]
    arch: Arch,
}

impl Machine {
    /// The widest there are.
    #[inline]
    pub(super) fn new() -> Machine {
        Machine {
            #[cfg(not(target_family = "wasm"))]
            arch: Arch::new(),
        }
    }

    /// Those that all machines have.
    pub(super) fn scalar() -> Machine {
        Machine {
            #[cfg(not(target_family = "wasm"))]
            arch: Arch::Scalar,
        }
    }

    /// These.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn of(arch: Arch) -> Machine {
        Machine { arch }
    }

    /// Runs loops.
    #[inline]
    pub(super) fn dispatch<W: WithSimd>(self, work: W) -> W::Output {
        #[cfg(not(target_family = "wasm"))]
        return self.arch.dispatch(work);
        // A module is compiled for one machine: other copies of the loops would only be loaded.
        #[cfg(target_family = "wasm")]
        work.with_simd(pulp::Scalar::new())
    }
}
