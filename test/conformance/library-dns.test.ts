// The dns cases through the libraries. One file per area, so that they run side by side.

import { describeLibrary } from './describe-library.ts'

await describeLibrary('dns')
