// All texts of the page itself, in the board's language or the one chosen here. Texts of the game arrive in messages,
// in the board's language, and are shown as they are. {0} is a value, {0:row|rows} the noun that fits it.

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
  resumeHint: "Resume the saved race",
  lap: "Lap",
  lights: "{0} of 5 start lights {0:is|are} lit",
  go: "Go!",
  noRace: "No race yet",
  noAnswer: "The board hasn't answered. Try again, or restart the board.",
  notConnected: "There's no connection to the board right now. The page keeps trying; do this again once it's back.",
  notArrived: "The connection was lost, so this may not have arrived. Check the race, and do it again if necessary.",
  otherRace: "That question belonged to another race; look at the new one.",
  connecting: "Connecting to the board …",
  lost: "Connection lost. Trying again …",
  engineDead: "The board has stopped.",
  startAgain: "Resume the race",
  idle: "The board is ready.",
  idleMore: "Set up a race here, or on the display with the keys of panel 1.",
  menuOpen: "The board's menu is open: use the keys of a panel, or set up a race here.",
  starting: "Engines on. Watch the lights.",
  podiumSay: "The race is over.",
  serviceSay: "Service mode: testing the board's parts. Hold MENU for three seconds to leave it.",
  botThinks: "The bot is deciding.",
  secretAsk: "A secret answer: use the keys of this seat's panel.",
  roll: "Roll",
  draw: "Draw",
  rollFaces: "Tap what the dice on the table show:",
  send: "Enter",
  die: "Die {0}",
  why: "Why not?",
  whyTitle: "Not allowed here",
  whyNone: "The rules forbid nothing nearby.",
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
  logEmpty: "Every move of the race appears here.",
  rule: "Rule {0}",
  digest: "Public digest {0}",
  answer: "Answer {0}",
  toEnd: "Newest",
  display: "Display",
  hidden: "For one player only",
  dials: "Dial lights",
  panel: "Panel {0}",
  free: "free",
  bot: "bot",
  person: "person",
  turn: "to play",
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
  seasonMore: "Track, players, laps and options come from the season.",
  seasonGrid: "Starting grid",
  lapsOf: "Laps: {0}",
  seasonCount: "Count it in {0}",
  seasonCounting: "Verifying the race, draw by draw …",
  seasonCounts: "Counted as race {0} of {1}.",
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
  seedHint: "Leave empty for a new one",
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
  noMenu: "Waiting for the board's list of games.",
  rowsLaps: "{0} {0:row|rows}",
  trackLaps: "{0} {0:row|rows} · {1} {1:lap|laps}",
  levels: {}, // track levels; English shows the words of the track files
  winner: "{0} wins",
  podiumPoints: "{0} {0:point|points}",
  diceCount: "Who rolled what",
  diceWho: "Who",
  diceRolled: "Rolled",
  diceMean: "Mean",
  diceExpected: "A fair die has a mean of {0}. With few rolls, even a fair die can be well off.",
  downloadJournal: "Download journal",
  lookAtTrack: "Look at the track",
  helpTitle: "Keys and help",
  helpKeys: [
    ["← →", "PREV and NEXT"],
    ["Enter", "OK"],
    ["Backspace", "UNDO"],
    ["W or ?", "WHY"],
    ["M", "MENU"],
    ["1 … 6", "choose the panel the keyboard controls"],
    ["0", "keyboard follows the open question"],
    ["L", "large view"],
    ["H", "this help"],
    ["Esc", "close"],
  ],
  helpMore:
    "Every car has its own shape and letters as well as its colour. Tap a glowing space with a dashed rim to " +
    "choose it. Panels, display and lights come from the firmware: you see exactly what the board shows.",
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
  tooOld: "The board uses another version of the link ({0}); update both to the same version.",
  skipped: "{0} unreadable {0:line|lines}",
  secondsLeft: "Trying again in {0} s",
  watching: "You're watching. Each player has a page of their own.",
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
  seatsMore: "Each player opens the link for their own seat: it shows what only they may see. Don't share it.",
  seatsHere: "These links work on this computer only. For phones, start the board with gridglow play --lan.",
  seatsNone: "The players' links appear here once a race is set up.",
  seatsFailed: "Couldn't get the links: {0}",
  qrOf: "QR code with {0}'s link",
  copy: "Copy link",
  copied: "Copied",
  copyHand: "Select the link and copy it by hand.",
  seatOf: "Seat {0}",
  yourSeat: "{0}, seat {1}",
  yourTurn: "Your turn",
  waitFor: "Now: {0}",
  waiting: "You will be asked here.",
  viewComes: "Loading your hand …",
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
  seatGone: "This link doesn't belong to a seat in this race; get your seat's new link at the board.",
  takeBack: "Undo",
  latest: "Latest",
};

const LANGUAGES = { en: ENGLISH, de: GERMAN };
const MEMORY = "gridglow.language";
// A value, or the noun that fits it: singular first.
const PLACE = /\{(\d)(?::([^{}|]+)\|([^{}|]+))?\}/g;

// The language chosen in this browser, or "".
function chosen() {
  try {
    const language = localStorage.getItem(MEMORY);
    return language in LANGUAGES ? language : "";
  } catch {
    return "";
  }
}

// The server marks the page with the board's language; a choice made here takes precedence.
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

// The text of a message, in this page's language if the message has it.
export const wording = (message) => message.says?.[language] ?? message.say;

// The text for a track's level.
export const levelWord = (level) => say("levels")[level] ?? level;

// Switch this browser to the other language. Reloading the page redraws everything.
export function switchLanguage() {
  try {
    localStorage.setItem(MEMORY, language === "en" ? "de" : "en");
  } catch {
    return; // without storage the board's language stays
  }
  location.reload();
}

// When the board changes its language, a page without a choice of its own follows.
export function follow(hello) {
  if (hello?.lang in LANGUAGES && !chosen() && hello.lang !== boards) location.reload();
}

// Translate the page's HTML: data-say holds a text's key, data-say-label a label's.
export function translatePage() {
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of document.querySelectorAll("[data-say-label]"))
    node.setAttribute("aria-label", say(node.dataset.sayLabel));
}
