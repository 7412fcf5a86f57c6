/** What a page and a program on an older Node do with the client alike; plain JavaScript, as both run it. */
export async function session({ DirectoryClient, DirectoryFault }, serial) {
  const radio = new DirectoryClient({
    baseUrl: 'http://opml.radiotime.com',
    secureBaseUrl: 'https://opml.radiotime.com',
    partnerId: 'page',
    formats: ['mp3', 'aac'],
    serial,
  });
  const index = await radio.browse.index();
  const { outlines } = await radio.search.find('Harbour Folk');
  await radio.preset.add({ id: outlines[0].guideId });
  const presets = await radio.browse.presets();
  const xml = await radio.with({ render: 'xml' }).browse.presets();
  const fault = await radio.preset.add({ id: 's999999999' }).catch((error) => error);
  const wrong = await radio.account.auth({ username: 'nobody', password: 'wrong' }).catch((error) => error);
  return {
    keys: index.outlines.map(({ key }) => key),
    presets: presets.outlines.map(({ guideId, presetNumber }) => [guideId, presetNumber]),
    isSame: JSON.stringify(presets.outlines) === JSON.stringify(xml.outlines),
    fault: [fault instanceof DirectoryFault, fault.status, fault.code],
    wrong: wrong.status,
  };
}
