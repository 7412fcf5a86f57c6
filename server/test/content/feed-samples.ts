/** Feeds of our own, one for each dialect and for each way in which real ones stray from it. */
export const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
  <title>Harbour &amp; Hinterland</title>
  <link>https://harbour.radio-haven.net/</link>
  <description><![CDATA[<p>Stories from the <b>quay</b>.</p><p>Every week.</p>]]></description>
  <language>en-IE</language>
  <itunes:author>Niamh Quay</itunes:author>
  <itunes:owner><itunes:name>Haven Media</itunes:name><itunes:email>a@radio-haven.net</itunes:email></itunes:owner>
  <itunes:image href="https://harbour.radio-haven.net/cover.jpg"/>
  <image><url>https://harbour.radio-haven.net/small.png</url><title>Not the title</title></image>
  <itunes:category text="Sports"><itunes:category text="Soccer"/></itunes:category>
  <itunes:category text="Society &amp; Culture"/>
  <ttl>90</ttl>
  <atom:link rel="self" href="https://feeds.radio-haven.net/harbour"/>
  <atom:link rel="hub" href="https://hub.radio-haven.net/"/>
  <podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>
  <itunes:new-feed-url>https://feeds.radio-haven.net/harbour-2</itunes:new-feed-url>
  <podcast:liveItem status="pending"><title>Not a topic</title></podcast:liveItem>
  <item>
    <title>2: The &lt;old&gt; lighthouse</title>
    <itunes:title>The old lighthouse</itunes:title>
    <guid isPermaLink="false">harbour-2</guid>
    <description>Who kept it?&lt;br/&gt;And &lt;i&gt;why&lt;/i&gt;?</description>
    <content:encoded><![CDATA[<p>The long version.</p>]]></content:encoded>
    <pubDate>Tue, 05 Mar 2024 08:00:00 +0100</pubDate>
    <enclosure url="https://cdn.radio-haven.net/harbour/2.mp3?a=1&amp;b=2" length="1234" type="audio/mpeg"/>
    <itunes:duration>1:02:03</itunes:duration>
  </item>
  <item>
    <title>1: Low water</title>
    <guid>harbour-1</guid>
    <pubDate>Tue, 27 Feb 2024 08:00:00 GMT</pubDate>
    <enclosure url="https://cdn.radio-haven.net/harbour/1.jpg" type="image/jpeg"/>
    <enclosure url="/harbour/1.m4a" type="audio/x-m4a; codecs=aac"/>
    <itunes:duration>754</itunes:duration>
  </item>
</channel>
</rss>`;

export const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de">
  <title type="html">Nacht&amp;auml;ther</title>
  <subtitle>Gespr\u00e4che nach Mitternacht</subtitle>
  <link rel="alternate" type="text/html" href="https://nacht.radio-haven.net/"/>
  <link rel="self" href="https://nacht.radio-haven.net/feed.atom"/>
  <author><name>Jo Brandt</name><email>jo@radio-haven.net</email></author>
  <logo>/logo.png</logo>
  <category term="Comedy"/>
  <updated>2024-03-06T00:10:00Z</updated>
  <entry>
    <id>tag:nacht.radio-haven.net,2024:7</id>
    <title>Folge 7</title>
    <link rel="alternate" href="https://nacht.radio-haven.net/7"/>
    <link rel="enclosure" type="audio/ogg" href="https://nacht.radio-haven.net/7.ogg"/>
    <published>2024-03-06T00:10:00+01:00</published>
    <updated>2024-04-01T00:00:00Z</updated>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Erste Zeile</p><p>Zweite &lt; dritte</p></div></content>
  </entry>
</feed>`;

export const RSS1 = `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
  xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
  <channel rdf:about="https://old.radio-haven.net/feed"><title>Old Wave</title><link>https://old.radio-haven.net/</link>
    <description>Since 2001</description><dc:language>fr</dc:language><dc:creator>Luc</dc:creator>
    <sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
    <items><rdf:Seq><rdf:li rdf:resource="https://old.radio-haven.net/1"/></rdf:Seq></items></channel>
  <image rdf:about="x"><title>no</title><url>https://old.radio-haven.net/i.gif</url></image>
  <item rdf:about="https://old.radio-haven.net/1"><title>Premier</title><dc:date>2001-09-10</dc:date>
    <enc:enclosure rdf:resource="https://old.radio-haven.net/1.mp3" enc:type="audio/mpeg"/></item>
</rdf:RDF>`;

/** Prefixes never declared, a stray ampersand, HTML entities, HTML that nobody escaped, a control character. */
export const SLOPPY = `
<rss><channel><title>Salt & Vinegar</title><itunes:author>A&nbsp;B</itunes:author><managingEditor>x</managingEditor>
<author>mail@radio-haven.net (Ann Other)</author><category>Food</category>
<item><title>One\u0001 more</title><description>First<p>second</p><script>alert(1)</script><a href="x">third</a></description>
<link>https://salt.radio-haven.net/1</link><enclosure url="https://salt.radio-haven.net/1.mp3?x=1&y=2"/>
<pubDate>5 M\u00e4rz 2024</pubDate><itunes:duration>12 min</itunes:duration></item></channel></rss>`;

export const MEDIA = `<rss xmlns:m="http://search.yahoo.com/mrss/" xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>Pictures too</title><i:block>Yes</i:block><i:author>Vi</i:author>
<item><guid>v1</guid><m:group><m:content url="https://v.radio-haven.net/1.mp4" type="video/mp4"/>
<m:content url="https://v.radio-haven.net/1.mp3" type="audio/mpeg" duration="61"/></m:group></item></channel></rss>`;

export const FEED_SAMPLES = { RSS, ATOM, RSS1, SLOPPY, MEDIA };

/** A feed of so many topics with show notes, the newest first; for measuring. */
export function longFeed(topics: number): string {
  const note =
    '<p>Notes on the <a href="https://x.radio-haven.net/">tide</a> &amp; the moon, with links.</p>'.repeat(
      12,
    );
  const items = Array.from({ length: topics }, (_none, index) => {
    const when = new Date(Date.UTC(2024, 0, 1) - index * 86_400_000).toUTCString();
    return `<item><title>Tide table ${topics - index}</title><guid isPermaLink="false">tide-${topics - index}</guid>
      <description><![CDATA[${note}]]></description><pubDate>${when}</pubDate><itunes:duration>00:${10 + (index % 40)}:07</itunes:duration>
      <enclosure url="https://cdn.radio-haven.net/tide/${topics - index}.mp3" length="1" type="audio/mpeg"/></item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
    <title>Tide tables</title><language>en</language><itunes:category text="Science"/>${items.join('\n')}</channel></rss>`;
}
