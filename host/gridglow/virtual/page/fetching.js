// The pages fetch everything through here: a request without an answer in time is given up, whatever lies between.

import { say } from "./words.js";

const usual_s = 20;
const slow_s = { "/season": 300, "/geometry": 60 }; // verifying a race takes long; a track may be compiled first

// The response to a request, as fetch returns it. Throws an Error with a sentence if there's none.
export async function fetched(path, options = {}) {
  const within_s = slow_s[`/${path.split("/")[1]}`] ?? usual_s;
  try {
    return await fetch(path, { cache: "no-store", ...options, signal: AbortSignal.timeout(within_s * 1000) });
  } catch {
    throw new Error(say("notConnected"));
  }
}
