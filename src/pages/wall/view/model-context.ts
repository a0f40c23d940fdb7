// Hands the wall's model to every part of its view.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { WallModel } from '../wall-model.js'

export const Model = createContext<WallModel | null>(null)

export const useWall = (): WallModel => {
  const model = useContext(Model)
  if (model === null) throw new Error('a part of the wall stands outside of it')
  return model
}
