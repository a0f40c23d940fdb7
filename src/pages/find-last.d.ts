// What the browsers of docs/stage.md have beyond ES2022: findLast, and nothing else of ES2023.
//
// Pages are typed by ES2022, so that what a kiosk's old browser lacks (toSorted, toReversed, with)
// does not compile. Chromium 109 has findLast; TypeScript knows it only together with the rest.
interface ReadonlyArray<T> {
  findLast<S extends T>(fits: (value: T, index: number) => value is S): S | undefined
  findLast(fits: (value: T, index: number) => boolean): T | undefined
  findLastIndex(fits: (value: T, index: number) => boolean): number
}
interface Array<T> {
  findLast<S extends T>(fits: (value: T, index: number) => value is S): S | undefined
  findLast(fits: (value: T, index: number) => boolean): T | undefined
  findLastIndex(fits: (value: T, index: number) => boolean): number
}
