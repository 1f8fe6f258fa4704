// Time as an argument: the informer's clocks, so that a daemon and its watches share one.

export { type Clock, systemClock } from '@kubewire/informer'
export { type FakeClock, fakeClock } from '@kubewire/informer/testing'
