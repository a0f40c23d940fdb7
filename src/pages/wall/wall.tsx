// The wall's entry: makes the model, draws it, and starts to listen.
import { render } from 'preact'
import { browserScreenLock } from '../shared/browser-wake-lock.js'
import { refuseFiles } from '../shared/dropped-files.js'
import { keepAwake } from '../shared/wake-lock.js'
import { App } from './view/app.js'
import { Model } from './view/model-context.js'
import { registerKeys } from './view/key-handler.js'
import { WallModel } from './wall-model.js'

const root = document.getElementById('wall')
if (root === null) throw new Error('the page has no #wall')

const model = new WallModel()
// The header that the page brings along is painted before this script runs, and taken over here.
render(
  <Model.Provider value={model}>
    <App />
  </Model.Provider>,
  root,
)
registerKeys(model)
refuseFiles()
model.start()
// The key or the touch that wakes a screen is a press as well.
keepAwake(browserScreenLock())
