/**
 * This process's own time, whatever else the machine is doing, with what collecting the garbage takes beside. The time
 * of the thread alone moves on by up to 4 ms at once, by which most readers would take none.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What `fixedWork` takes on the machine on which the readers were measured, when it was quiet. */
const QUIET_MS = 2.5;
/** More than the slowest machine that runs the gate; what is slower than that is no machine to measure on. */
const SLOWEST = 4;
const RUNS = 10;

const LINE =
  '#EXTINF:-1 tvg-id="s1" group-title="Pop, Rock",Rádio 93,9 – "Town"\r\nhttp://a.example.net/live?id=%C3%A9\r\n';
const BYTES = Buffer.from(LINE.repeat(Math.floor(65_536 / Buffer.byteLength(LINE))));

/** Work as readers do it, and always the same: text of bytes, lines of text, words of lines, JSON of words. */
function fixedWork(): number {
  const lines = new TextDecoder().decode(BYTES).split(/\r?\n/);
  const words = lines.map((line) => line.match(/[\p{L}\p{N}]+/gu) ?? []);
  const told: unknown = JSON.parse(JSON.stringify(words));
  let sum = Array.isArray(told) ? told.length : 0;
  for (const line of lines) for (let at = 0; at < line.length; at += 1) sum += line.charCodeAt(at);
  return sum;
}

/** How many times longer this machine takes now than ours did when it was quiet; never less than once. */
export function slowness(): number {
  let best = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = cpuMs();
    fixedWork();
    best = Math.min(best, cpuMs() - before);
  }
  return Math.min(Math.max(best / QUIET_MS, 1), SLOWEST);
}
