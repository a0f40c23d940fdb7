// The wall's entry: makes the model, draws it, and starts to listen.
import { render } from 'preact'
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
model.start()
