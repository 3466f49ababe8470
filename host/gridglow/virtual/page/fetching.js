// The only way by which the pages fetch something: what has no answer in time is given up, whatever lies between.

import { say } from "./words.js";

const usual_s = 20;
const slow_s = { "/season": 300, "/geometry": 60 }; // a race is verified draw by draw; a track may be compiled first

// The answer to a request, as fetch gives it. Raises Error with a sentence where there is none.
export async function fetched(path, options = {}) {
  const within_s = slow_s[`/${path.split("/")[1]}`] ?? usual_s;
  try {
    return await fetch(path, { cache: "no-store", ...options, signal: AbortSignal.timeout(within_s * 1000) });
  } catch {
    throw new Error(say("notConnected"));
  }
}
