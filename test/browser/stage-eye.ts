// Runs in the stage before its own scripts: an eye that reads each shown frame's number by pixels.

/** A frame that was shown, and when by this machine's clock, in ms. */
export interface Glimpse {
  readonly source: string
  readonly number: number
  readonly at: number
}

/** Needs nothing from around it: it is sent to the page as text. */
export const openEye = (bits: number): void => {
  const seen: Glimpse[] = []
  Object.assign(window, { stageEye: seen })
  const canvas = document.createElement('canvas')
  canvas.width = bits
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const read = (video: HTMLVideoElement): number => {
    const block = video.videoWidth / 16
    context?.drawImage(video, 0, 0, bits * block, block, 0, 0, bits, 1)
    const pixels = context?.getImageData(0, 0, bits, 1).data ?? []
    let number = 0
    for (let bit = 0; bit < bits; bit += 1) if ((pixels[bit * 4] ?? 0) > 128) number |= 1 << bit
    return number
  }
  const watch = (video: HTMLVideoElement): void => {
    const look: VideoFrameRequestCallback = (_now, { expectedDisplayTime }) => {
      video.requestVideoFrameCallback(look)
      if (video.classList.contains('hidden')) return
      const at = performance.timeOrigin + expectedDisplayTime
      seen.push({ source: video.currentSrc, number: read(video), at })
    }
    video.requestVideoFrameCallback(look)
  }
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLVideoElement) watch(node)
    }
  }).observe(document, { childList: true, subtree: true })
}
