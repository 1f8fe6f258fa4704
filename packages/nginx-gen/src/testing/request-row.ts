// A row of a request table.

import type { SimulatedRequest } from '../simulate/request.ts'

/**
 * What a row expects: `backend NAME` (upstream), `backend NAME /path` (with the path that the backend sees), a status
 * such as `404`, or `301 https://…` with the exact target.
 */
export type ExpectedAnswer = string

/** One row: the request (`GET shop.example.org/tea`, `https://…`), what happens, and the fact in words. */
export type RequestRow = readonly [request: string | SimulatedRequest, answer: ExpectedAnswer, fact: string]
