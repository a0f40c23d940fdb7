// The codes that browsers give to keys (KeyboardEvent.code), as far as a hotkey may have one.

const numbered = (name: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${name}${String(from + n)}`)

const each = (before: string, names: string): readonly string[] =>
  names.split(' ').map((name) => before + name)

/** W3C "UI Events KeyboardEvent code Values", and what browsers name beyond it. */
const CODES: ReadonlySet<string> = new Set([
  ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `Key${letter}`),
  ...numbered('Digit', 0, 9), ...numbered('Numpad', 0, 9), ...numbered('F', 1, 24),
  ...numbered('Lang', 1, 5), ...numbered('LaunchApp', 1, 3),
  ...each('', 'Backquote Backslash BracketLeft BracketRight Comma Equal Minus Period Quote'),
  ...each('', 'Semicolon Slash Space Backspace Tab Enter Escape CapsLock ContextMenu'),
  ...each('', 'AltLeft AltRight ControlLeft ControlRight MetaLeft MetaRight OSLeft OSRight'),
  ...each('', 'ShiftLeft ShiftRight Fn FnLock Hyper Super Turbo Convert NonConvert KanaMode'),
  ...each('', 'Hiragana Katakana Delete End Help Home Insert PageDown PageUp PrintScreen'),
  ...each('', 'ScrollLock Pause NumLock Eject Power Sleep WakeUp Abort Resume Suspend Again Copy'),
  ...each('', 'Cut Find Open Paste Props Select Undo Redo New Close Save Print Exit SpellCheck'),
  ...each('', 'SelectTask ShowAllWindows KeyboardLayoutSelect PrivacyScreenToggle ZoomToggle'),
  ...each('', 'MicrophoneMuteToggle DisplayToggleIntExt MailForward MailReply MailSend'),
  ...each('', 'VolumeDown VolumeMute VolumeUp BrightnessDown BrightnessUp'),
  ...each('Arrow', 'Down Left Right Up'),
  ...each('AudioVolume', 'Down Mute Up'),
  ...each('Browser', 'Back Favorites Forward Home Refresh Search Stop'),
  ...each('Intl', 'Backslash Hash Ro Yen'),
  ...each('Launch', 'Mail Assistant ControlPanel ScreenSaver MediaPlayer'),
  ...each('Media', 'Play Pause PlayPause Record Rewind FastForward Select Stop'),
  ...each('Media', 'TrackNext TrackPrevious Last'),
  ...each('Numpad', 'Add Backspace Clear ClearEntry Comma Decimal Divide Enter Equal Hash'),
  ...each('Numpad', 'MemoryAdd MemoryClear MemoryRecall MemoryStore MemorySubtract Multiply'),
  ...each('Numpad', 'ParenLeft ParenRight SignChange Star Subtract'),
])

export const isKeyCode = (code: string): boolean => CODES.has(code)
