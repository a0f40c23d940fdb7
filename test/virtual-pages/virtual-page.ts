// A page without a browser: happy-dom's document on virtual time, of which nothing stays behind.
import { onTestFinished, vi } from 'vitest'

let close = (): void => undefined

/** Another page with this body takes the place of the one before, or the end of the test does. */
export const openVirtual = (body: string): void => {
  close()
  vi.useFakeTimers()
  const listened = listeners()
  document.body.innerHTML = body
  close = () => {
    listened.end()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    Reflect.deleteProperty(document, 'hidden')
    close = () => undefined
  }
  onTestFinished(() => {
    close()
    localStorage.clear()
    sessionStorage.clear()
  })
}

/** Time goes by, with all that falls due and all that is drawn in it. */
export const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms)
}

/** The page is hidden, as behind another tab, or seen again. */
export const hide = async (isHidden: boolean): Promise<void> => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(20)
}

const listeners = (): { readonly end: () => void } => {
  const taken: (() => void)[] = []
  const spies = [document, window].map((target) => {
    const add = target.addEventListener.bind(target)
    return vi.spyOn(target, 'addEventListener').mockImplementation((...args: unknown[]) => {
      const [type, call, options] = args as [string, EventListener, boolean | undefined]
      add(type, call, options)
      taken.push(() => target.removeEventListener(type, call, options))
    })
  })
  return {
    end: () => {
      for (const spy of spies) spy.mockRestore()
      for (const take of taken) take()
    },
  }
}
