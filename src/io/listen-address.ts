// Where the service may listen (1): numeric IPv4 addresses, no name and no wildcard; its ports.
import { isIPv4 } from 'node:net'
import { LIMITS } from '../contract/limits.js'

export const HOST_RULE =
  'a numeric IPv4 address of this machine, such as 127.0.0.1; neither a name nor 0.0.0.0'
const { portMin, portMax } = LIMITS
export const PORT_RULE = `a whole number from ${String(portMin)} to ${String(portMax)}`

/** From here on addresses are of groups, or of all: lights may be sent there. */
const GROUPS_FROM = 224

/** One that something can be sent to, a group's too. */
export const isIPv4Address = (text: string): boolean => isIPv4(text) && text !== '0.0.0.0'

/** Where somebody can be reached: the system lets one listen on a group's address too. */
export const isHost = (text: string): boolean =>
  isIPv4Address(text) && Number.parseInt(text, 10) < GROUPS_FROM

export const isPort = (port: number): boolean =>
  Number.isInteger(port) && port >= portMin && port <= portMax
