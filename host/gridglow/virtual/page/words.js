// Every word that the page itself says, in the language of the board or the one chosen here. What the game says
// comes in messages, in the board's language, and is shown as it comes. {0} is a value, {0:row|rows} the word that fits it.

import { GERMAN } from "./words_de.js";

const ENGLISH = {
  newRace: "New race",
  resume: "Resume",
  journal: "Journal",
  sheet: "Cheat sheet",
  large: "Large",
  sound: "Sound",
  help: "Keys",
  journalHint: "Download the journal",
  sheetHint: "One page to print: the turn, the lights, the keys",
  largeHint: "Large view for a projector",
  soundHint: "Sounds of the board",
  helpHint: "Keyboard and help",
  resumeHint: "Go on with the saved race",
  lap: "Lap",
  lights: "{0} of 5 start lights {0:is|are} lit",
  go: "Go!",
  noRace: "No race yet",
  noAnswer: "The board has not answered. Try it once more, or start the board again.",
  notConnected: "There is no connection to the board just now; it is tried again. Do this once more when it is back.",
  notArrived: "The connection was lost, so this may not have arrived; see how things stand, and do it once more if need be.",
  otherRace: "That was asked in another race; look at the new question.",
  connecting: "Connecting to the board …",
  lost: "The connection is lost. Trying again …",
  engineDead: "The board has stopped.",
  startAgain: "Resume the race",
  idle: "The board is ready.",
  idleMore: "Set up a race here, or with the keys of panel 1 on the display.",
  menuOpen: "The board is in its menu: use the keys of a panel, or set up a race here.",
  starting: "Engines on. Watch the lights.",
  podiumSay: "The race is over.",
  serviceSay: "Service mode: the board's parts are tried. Hold MENU for three seconds to leave it.",
  botThinks: "The bot decides.",
  secretAsk: "Answered in secret: use the keys of this seat's panel.",
  roll: "Roll",
  draw: "Draw",
  rollFaces: "Tap what the dice on the table show:",
  send: "Enter",
  die: "Die {0}",
  why: "Why not?",
  whyTitle: "Not allowed here",
  whyNone: "Nothing near is forbidden.",
  close: "Close",
  onTrack: "or tap a glowing space",
  tapSpace: "Space {0}: {1}",
  chooseHere: "Which one?",
  dice: "Dice",
  noDice: "No roll yet",
  was: "was {0}",
  flipped: "flipped",
  total: "Total {0}",
  diceSay: "{0}: dice {1}",
  standings: "Standings",
  standingsEmpty: "The order shows up here.",
  points: "pts",
  out: "out",
  done: "finished",
  log: "Log",
  logEmpty: "What happens is told here, line by line.",
  rule: "Rule {0}",
  digest: "Public digest {0}",
  answer: "Answer {0}",
  toEnd: "Newest",
  display: "Display",
  hidden: "For one player only",
  dials: "Lights of the dials",
  panel: "Panel {0}",
  free: "free",
  bot: "bot",
  person: "person",
  turn: "to answer",
  table: "Everybody",
  PREV: "Prev",
  NEXT: "Next",
  OK: "OK",
  UNDO: "Undo",
  WHY: "Why",
  MENU: "Menu",
  setupTitle: "New race",
  season: "Season",
  singleRace: "Single race",
  seasonRace: "{0}: race {1} of {2}",
  seasonMore: "Track, players, laps and options are those of the season.",
  seasonGrid: "Who starts where",
  lapsOf: "Laps: {0}",
  seasonCount: "Count it in {0}",
  seasonCounting: "The race is verified, draw by draw …",
  seasonCounts: "It counts as race {0} of {1}.",
  game: "Game",
  variant: "Rules",
  track: "Track",
  laps: "Laps",
  seats: "Seats",
  diceSource: "Dice",
  deckSource: "Cards",
  device: "The board rolls",
  tableRolls: "We roll real dice",
  deviceDeals: "The board deals",
  tableDeals: "We hold real cards",
  options: "Options",
  seed: "Seed",
  seedHint: "Leave it empty for a fresh one",
  more: "More",
  start: "Start the race",
  cancel: "Cancel",
  personKind: "Person",
  botKind: "Bot",
  emptyKind: "Empty",
  seatName: "Name of seat {0}",
  seatKind: "Seat {0}",
  seatsNeeded: "Choose {0} to {1} players.",
  nameNeeded: "Every player needs a name.",
  player: "Player {0}",
  botName: "Bot {0}",
  noMenu: "The board has not said what can be played yet.",
  rowsLaps: "{0} {0:row|rows}",
  trackLaps: "{0} {0:row|rows} · {1} {1:lap|laps}",
  levels: {}, // of tracks; in English the words of their files do
  winner: "{0} wins",
  podiumPoints: "{0} {0:point|points}",
  diceCount: "Who rolled what",
  diceWho: "Who",
  diceRolled: "Rolled",
  diceMean: "Mean",
  diceExpected: "A fair die has a mean of {0}. The fewer rolls, the farther off it may be too.",
  downloadJournal: "Download journal",
  lookAtTrack: "Look at the track",
  helpTitle: "Keys and help",
  helpKeys: [
    ["← →", "PREV and NEXT"],
    ["Enter", "OK"],
    ["Backspace", "UNDO"],
    ["W or ?", "WHY"],
    ["M", "MENU"],
    ["1 … 6", "choose the panel that the keyboard works"],
    ["0", "let the keyboard follow the open question"],
    ["L", "large view"],
    ["H", "this help"],
    ["Esc", "close"],
  ],
  helpMore:
    "Every car has its own shape and letters besides its colour. Glowing spaces with a dashed rim can be " +
    "tapped. The panels, the display and every light are those of the firmware: you see what the board shows.",
  legend: "What the lights mean",
  legendRhythms: [
    "long on, long off",
    "on, with short dips",
    "two short, a pause",
    "long and short by turns",
    "one short at a time",
    "three short, a long pause",
    "two long, a long pause",
    "one long, two short",
  ],
  legendMore: [
    "White, pulsing softly: spaces that are offered.",
    "White, steady and bright: the space that the cursor is on.",
    "Dials that breathe: that seat is asked.",
    "A dial that breathes red and slowly: little is left.",
    "Points that blink: what the answer would cost.",
  ],
  legendMark: "Dim and steady: {0}.",
  legendDips: "Dim, with short dark dips: {0}.", // end of the legend
  legendCar: "{0}: {1}",
  colours: {
    blue: "blue", yellow: "yellow", red: "red", green: "green", white: "white", orange: "orange", cyan: "cyan",
    magenta: "magenta",
  },
  difficulty: "difficulty {0}",
  corner: "Corner {0}",
  direction: "Driving direction",
  finishLine: "Finish line",
  keyboardHere: "keyboard",
  tooOld: "The board speaks another version of the link ({0}); update both to the same.",
  skipped: "{0} unreadable {0:line|lines}",
  secondsLeft: "Trying again in {0} s",
  watching: "You are watching. Whoever plays has a page of their own.",
  watch: "watching",
  skipLink: "Skip to the question",
  areaBoard: "Board",
  areaDice: "Dice",
  areaQuestion: "Question",
  areaDisplay: "Display of the board",
  areaPanels: "Panels",
  language: "Language: English. Deutsch wählen",
  otherLanguage: "DE",
  seatLinks: "Seats",
  seatLinksHint: "A page on the phone for each player",
  seatsTitle: "A page for each seat",
  seatsMore: "Each player opens the link of their own seat: it shows what only they may see. Hand it to nobody else.",
  seatsHere: "These links work on this computer only. For phones start the board with gridglow play --lan.",
  seatsNone: "The players of the race get their links here once it is set up.",
  seatsFailed: "The links could not be had: {0}",
  qrOf: "QR code with the link of {0}",
  copy: "Copy link",
  copied: "Copied",
  copyHand: "Mark the link and copy it by hand.",
  seatOf: "Seat {0}",
  yourSeat: "{0}, seat {1}",
  yourTurn: "Your turn",
  waitFor: "Now: {0}",
  waiting: "You will be asked here.",
  viewComes: "What only you may see is on its way …",
  hand: "Only you see this",
  gauges: "Your dials",
  gaugeSay: "{0}: {1} of {2}",
  gaugeSayFree: "{0}: {1}",
  gaugeLow: "{0}: only {1} of {2} left",
  row: "Row {0}",
  rowPick: "Which row?",
  lanePick: "Which space?",
  otherRow: "Other row",
  rowOptions: "{0} {0:way|ways}",
  wholeTrack: "Whole track",
  nearTrack: "Closer",
  seatGone: "This link belongs to no seat of this race; ask at the board for the seat's new link.",
  takeBack: "Undo",
  latest: "Latest",
};

const LANGUAGES = { en: ENGLISH, de: GERMAN };
const MEMORY = "gridglow.language";
// A value, or the word that goes by it: the first one for 1.
const PLACE = /\{(\d)(?::([^{}|]+)\|([^{}|]+))?\}/g;

// The language that was chosen in this browser, or "".
function chosen() {
  try {
    const language = localStorage.getItem(MEMORY);
    return language in LANGUAGES ? language : "";
  } catch {
    return "";
  }
}

// The server marks the page with the board's language; a choice made here goes before it.
const boards = document.documentElement.lang;
export const language = chosen() || (boards in LANGUAGES ? boards : "en");
document.documentElement.lang = language;

export function say(key, ...values) {
  const text = LANGUAGES[language][key] ?? ENGLISH[key];
  if (typeof text !== "string") return text ?? key;
  return text.replace(PLACE, (_, at, one, more) => {
    if (one === undefined) return values[at] ?? "";
    return String(values[at]) === "1" ? one : more;
  });
}

// What a message says, in the language of this page where it is there.
export const wording = (message) => message.says?.[language] ?? message.say;

// The level of a track, in words.
export const levelWord = (level) => say("levels")[level] ?? level;

// Choose the other language for this browser. Everything is drawn anew by loading the page again.
export function switchLanguage() {
  try {
    localStorage.setItem(MEMORY, language === "en" ? "de" : "en");
  } catch {
    return; // without storage the board's language stays
  }
  location.reload();
}

// The board has changed its language: so does a page where nobody has chosen one.
export function follow(hello) {
  if (hello?.lang in LANGUAGES && !chosen() && hello.lang !== boards) location.reload();
}

// The words that stand in the page's HTML: data-say is a text, data-say-label a label.
export function translatePage() {
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of document.querySelectorAll("[data-say-label]"))
    node.setAttribute("aria-label", say(node.dataset.sayLabel));
}
