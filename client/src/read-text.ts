/** No menu is larger; what goes on is cut off, so that a server gone wrong does not fill the memory. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The body as text. */
export async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError(`the answer is larger than ${MAX_BYTES} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
