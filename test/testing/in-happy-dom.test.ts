// cartwall/testing where apps are tested in happy-dom.
// @vitest-environment happy-dom
import { describe } from 'vitest'
import { appEvening } from './app-evening.js'

describe('in happy-dom', appEvening)
