// `Buffer` where a page has none.

export { Buffer } from 'buffer/'
