// Small helpers that make elements. Texts always go in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.setAttribute("class", value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child.nodeType ? child : document.createTextNode(String(child)));
  }
  return node;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);

export function replace(node, ...children) {
  node.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

// Set a text only if it changed, so that screen readers and selections aren't disturbed.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
export const calm = () => reduced.matches;

export function icon(name) {
  const paths = {
    flag: "M5 21V3h13l-3 5 3 5H7",
    play: "M6 4l14 8-14 8z",
    book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
    screen: "M3 5h18v11H3zM8 20h8M12 16v4",
    sound: "M4 9h4l5-4v14l-5-4H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
    mute: "M4 9h4l5-4v14l-5-4H4zM17 9l5 6M22 9l-5 6",
    keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 14h.01M7 14h7",
    PREV: "M15 5l-8 7 8 7",
    NEXT: "M9 5l8 7-8 7",
    OK: "M5 13l4 4L19 7",
    UNDO: "M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 8h-2",
    WHY: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5h.01",
    MENU: "M4 7h16M4 12h16M4 17h16",
    close: "M6 6l12 12M18 6L6 18",
    dice: "M4 4h16v16H4zM8.5 8.5h.01M15.5 15.5h.01M12 12h.01",
    phone: "M7 2.5h10v19H7zM11 18.5h2",
    sheet: "M6 3h9l4 4v14H6zM9 10h7M9 14h7M9 18h4",
    down: "M12 5v14M6 13l6 6 6-6",
  };
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    s("path", { d: paths[name] }),
  );
}
