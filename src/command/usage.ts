// What `--help` says, for the command as a whole and for each of its parts.
import { DEFAULTS } from '../contract/limits.js'

export const COMMANDS = [
  'serve', 'check', 'new', 'add', 'schema', 'devices', 'dmx', 'replay', 'help', 'version',
] as const
export type CommandName = (typeof COMMANDS)[number]

export const isCommand = (word: string): word is CommandName =>
  (COMMANDS as readonly string[]).includes(word)

const WHOLE = `cartwall plays the buttons of a show, driven over a local HTTP/JSON API.

  cartwall serve [options]   serve a show (without --show: the demo show)
  cartwall check FILE        check a show file and its media without playing
  cartwall new FOLDER        make a show from the media in a folder
  cartwall add FILE...       put media into a show
  cartwall schema WHAT       print the JSON Schema of a show or a configuration
  cartwall devices           list the sound devices that audio.device may name
  cartwall dmx FILE          look at a lighting timeline without lamps
  cartwall replay FILE       tell what happened in a recorded night
  cartwall help [COMMAND]    tell more
  cartwall version           tell the version

--help and --version go with every command.
`

const SERVE = `cartwall serve [options]

  --show FILE        the show file (default: the bundled demo show); it is watched,
                     and SIGHUP reads it again
  --config FILE      the configuration, a JSON file; options given here win over it
  --host IPV4        the numeric IPv4 address to listen on (default ${DEFAULTS.host})
  --port N           the port, 1024 to 65535 (default ${String(DEFAULTS.port)})
  --sink SINK        where sound goes: speaker, wav:FILE (records what would be heard;
                     a file that is there is kept, the new one is numbered) or null
                     (nowhere); default: speaker, else null
  --log-level LEVEL  fatal, error, warn, info, debug, trace or silent (default info)
  --log-format WORD  json (for programs) or pretty (for people); default: pretty where
                     stderr is a terminal, else json
  --record FILE      write the inputs of the engine to FILE, for cartwall replay
                     (a file that is there is kept, the new one is numbered)

Prints "cartwall: ready on http://IP:PORT${DEFAULTS.apiPrefix}" once requests are answered.
Exits 0 after SIGINT or SIGTERM, 1 when it cannot start, 2 for bad arguments.
`

const CHECK = `cartwall check FILE [--decode]

Checks a show file, its media and its timelines without playing anything: of each medium the
first second from each Start on is decoded.
Names every fault by its place. Exits 0 when there is none, 1 when there is one.

  --decode   decode all media to their ends, so that a download that broke off is found too;
             an hour of sound takes some ten seconds
`

const NEW = `cartwall new FOLDER

Writes FOLDER/show.json with fresh ids from the media found in FOLDER: sound, video, images
and lighting timelines. Each folder below becomes a playlist. FOLDER/show.schema.json beside it is
what editors complete and check it by; cartwall does not read that. Overwrites nothing.
`

const ADD = `cartwall add FILE... [--show FILE] [--playlist NAME]

Puts media (sound, video, images, lighting timelines) at the end of a playlist, each as a button
with a fresh id. Nothing else in the file changes.

  --show FILE      the show file (default: show.json in this folder)
  --playlist NAME  the playlist, by its title or id; may be left out where there is only one
`

const SCHEMA = `cartwall schema show|config

Prints the JSON Schema of a show file or of a configuration file. Put it beside the file and name
it there, e.g. "$schema": "./show.schema.json": editors then complete the file and check it.
`

const DEVICES = `cartwall devices

Lists the sound devices that audio.device in the configuration may name.
`

const DMX = `cartwall dmx FILE [--at TIME] [--json]

Prints the DMX slots of a lighting timeline at TIME (12.5s, 12500ms or 1:02.5; a bare number is
seconds; default 0s), so that a timeline can be looked at without lamps. A time past its end is an
error.
`

const REPLAY = `cartwall replay FILE

Plays the night once more that "cartwall serve --record FILE" wrote, on an engine of its own and
in no time: prints each command (>) and what it did, with the time of day, and compares all of it
with what the night told. FILE.1, FILE.2 and so on are its later parts.
Exits 0 when it is the same, 1 when something is not or a part is missing, 2 when it cannot be
replayed.
`

const HELP = `cartwall help [COMMAND]

Tells what cartwall does, or one of its commands.
`

const VERSION = `cartwall version

Prints the version.
`

const USAGES: Record<CommandName, string> = {
  serve: SERVE,
  check: CHECK,
  new: NEW,
  add: ADD,
  schema: SCHEMA,
  devices: DEVICES,
  dmx: DMX,
  replay: REPLAY,
  help: HELP,
  version: VERSION,
}

export const usageOf = (name: CommandName | null): string => (name === null ? WHOLE : USAGES[name])
