// Files that are dragged onto a page by mistake.

/** A browser would open them, over the page or in its place, in the middle of a show. */
export const refuseFiles = (): void => {
  const refuse = (event: DragEvent): void => {
    const { dataTransfer } = event
    // Words may be dragged into the search.
    if (dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  }
  document.addEventListener('dragover', refuse)
  document.addEventListener('drop', refuse)
}
