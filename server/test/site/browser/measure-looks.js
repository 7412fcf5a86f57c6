/** Runs in a page: what of it cannot be read as it stands, a line each. */
export function measureLooks() {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1)
    found.push(`the page is ${root.scrollWidth} px wide in a window of ${root.clientWidth}: ${widest(root)}`);
  const lines = textLines();
  for (const line of lines) {
    const { element, text } = line;
    found.push(...brokenWords(line));
    if (
      /\b(?:lorem|ipsum|todo|fixme|undefined|null|NaN)\b|\[object |\{\w+\}|^[a-z]+\.[a-z]+[A-Z]?\w*$/.test(
        text,
      )
    )
      if (!element.closest('code, pre, [data-code]')) found.push(`an unfinished word: ${text}`);
    if (isCut(element)) found.push(`cut: ${nameOf(element)} ${text}`);
  }
  found.push(...overlaps(lines));
  return found;
}

function widest(root) {
  const all = [...document.body.querySelectorAll('*')].filter(
    (each) => each.getBoundingClientRect().right > root.clientWidth + 1,
  );
  return all.slice(-3).map(nameOf).join(', ');
}

/** Every line of text that is seen, with the element it stands in. */
function textLines() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const all = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 1 && box.height > 1) all.push({ element, node, text, box });
  }
  return all;
}

function isSeen(element) {
  if (element.closest('.heard-only, svg, select, option, script, style, noscript, [hidden], [inert]'))
    return false;
  if (
    !element.checkVisibility({
      opacityProperty: true,
      visibilityProperty: true,
      contentVisibilityAuto: true,
    })
  )
    return false;
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1;
}

/** Headings and names whose words go on in the next line, though a line has room for each of them. */
function brokenWords({ element, node, text }) {
  if (!element.closest('h1, h2, article p, [aria-live] p')) return [];
  return [...text.matchAll(/[A-Za-z]{2,12}/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange();
    const start = node.textContent.indexOf(text) + index;
    range.setStart(node, start);
    range.setEnd(node, start + word.length);
    return range.getClientRects().length > 1 ? [`a broken word: ${word}`] : [];
  });
}

/** Cut off by its own box without a sign that there is more; headings, labels and buttons are never cut at all. */
function isCut(element) {
  const style = getComputedStyle(element);
  const hides = style.overflowX !== 'visible' || style.overflowY !== 'visible';
  const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
  if (!hides || scrolls) return false;
  const isOver =
    element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 3;
  const hasSign = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
  return isOver && (!hasSign || element.matches('h1, h2, label, button, nav a, nav a *'));
}

/** What floats above the page by design is looked at by itself. */
function layerOf(element) {
  for (let each = element; each; each = each.parentElement)
    if (/fixed|sticky/.test(getComputedStyle(each).position) || each.matches('dialog')) return each;
  return document.body;
}

/** Of its box only what its scrolling and cutting parents let be seen. */
function visible({ element, box }) {
  let { left, top, right, bottom } = box;
  for (let each = element; each && each !== document.body; each = each.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(each);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const frame = each.getBoundingClientRect();
    left = Math.max(left, frame.left);
    right = Math.min(right, frame.right);
    top = Math.max(top, frame.top);
    bottom = Math.min(bottom, frame.bottom);
  }
  return { left, top, right, bottom };
}

function overlaps(all) {
  const boxes = all.map((line) => ({ ...line, layer: layerOf(line.element), seen: visible(line) }));
  const bad = [];
  for (const [at, one] of boxes.entries())
    for (const other of boxes.slice(at + 1)) {
      if (one.element === other.element || one.layer !== other.layer) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
      const height = Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
      // Lines of large type reach into each other's space without touching.
      if (width > 2 && height > Math.min(one.box.height, other.box.height) * 0.35)
        bad.push(`on each other: ${one.text.slice(0, 60)} | ${other.text.slice(0, 60)}`);
    }
  return bad;
}

function nameOf(element) {
  return (
    element.tagName.toLowerCase() + (element.className ? `.${String(element.className).split(' ')[0]}` : '')
  );
}
