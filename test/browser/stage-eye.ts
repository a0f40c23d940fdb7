// Runs in the stage before its own scripts: an eye that reads each shown frame's number by pixels.

/** A frame that was shown, and when by this machine's clock, in ms. */
export interface Glimpse {
  readonly source: string
  readonly number: number
  readonly at: number
}

/**
 * Needs nothing from around it: it is sent to the page as text. Only the blocks are copied, out of
 * the frame as it was decoded: a canvas would turn each whole frame into colours first, which takes
 * a page without a GPU so much time that what is looked at comes late.
 */
export const openEye = (bits: number): void => {
  const seen: Promise<Glimpse>[] = []
  Object.assign(window, { stageEye: seen })
  const read = async (video: HTMLVideoElement): Promise<number> => {
    const frame = new VideoFrame(video)
    const block = video.videoWidth / 16
    const rect = { x: 0, y: Math.floor(block / 4) * 2, width: bits * block, height: 2 }
    const pixels = new Uint8Array(frame.allocationSize({ rect }))
    await frame.copyTo(pixels, { rect })
    frame.close()
    let number = 0
    // The first plane is the brightness, 16 to 235.
    for (let bit = 0; bit < bits; bit += 1) {
      if ((pixels[Math.floor((bit + 0.5) * block)] ?? 0) > 125) number |= 1 << bit
    }
    return number
  }
  const watch = (video: HTMLVideoElement): void => {
    const look: VideoFrameRequestCallback = (_now, { expectedDisplayTime }) => {
      video.requestVideoFrameCallback(look)
      if (video.classList.contains('hidden')) return
      const [source, at] = [video.currentSrc, performance.timeOrigin + expectedDisplayTime]
      seen.push(read(video).then((number) => ({ source, number, at })))
    }
    video.requestVideoFrameCallback(look)
  }
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLVideoElement) watch(node)
    }
  }).observe(document, { childList: true, subtree: true })
}
