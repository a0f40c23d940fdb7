// cartwall/testing where apps are tested in node.
// @vitest-environment node
import { describe } from 'vitest'
import { appEvening } from './app-evening.js'

describe('in node', appEvening)
