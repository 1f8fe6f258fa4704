// The generator in a process of its own, for which this file is bundled as the daemon is: what nobody compiled before shows in
// the first round. `library-process.js SERVICES ENDPOINTS ROUNDS` prints the costs as JSON.

import { measureLibrary } from './library.ts'

const [services = 0, endpoints = 0, rounds = 0] = process.argv.slice(2).map(Number)
console.log(JSON.stringify(measureLibrary(services, endpoints, rounds)))
