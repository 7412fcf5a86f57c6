import { iso6393 } from 'iso-639-3';

export interface LanguageRecord {
  /** Two letters where ISO 639 has two, else three. */
  code: string;
  name: string;
}

/**
 * Of some 7,700 languages without a two-letter code, those with broadcasters, chosen by hand: regional and minority
 * languages and languages of radio for emigrants. An unused one costs a row and appears in no menu; add missing ones
 * here.
 */
const THREE_LETTERS = new Set(
  // Europe
  (
    'ast bar crh csb dsb frp frr fur gag gsw hsb ksh lad lld lmo ltg mwl nap nds olo pcd pdc pdt pms rmy rom rue rup ' +
    'scn sco sgs sma smj smn sms stq szl vec vep vls vro wym ' +
    // The Caucasus, Russia and Central Asia
    'ady alt bua chm inh kaa kbd kjh krc kum lbe lez mdf myv sah tyv udm xal ' +
    // The Middle East and North Africa
    'aeb aii apc arq ary arz bal ckb cld glk haz kab kmr lrc mzn prs rif shi sdh syr tmh tzm zgh zza ' +
    // Africa south of the Sahara
    'ach bbj bem bin bum cjk dag dje din dyu efi ewo fan fat fon gaa guz ibb kam kbp kde kea kln kmb kri laj lgg ' +
    'loz lua luo luy mas men mer mfe mnk mos nso nus nyn nyo pcm rcf crs saq seh shk snk srr suk sus swb tem teo tig ' +
    'tiv toi tum umb wal xog ' +
    // South Asia
    'awa bft bgc bho brx doi gbm gom grt hne kfy kha kok lep lus mag mai mni mwr raj sat sck skr tcy trp wbr ' +
    // East and South-East Asia, the Pacific
    'ace ban bbc bew bik bjn bug ceb chk cnh fil gil hak haw hil hmn ilo kac kos ksw mad min nan niu pag pam pau ' +
    'pis pon rar sas shn tet tkl tpi tsg tvl war wuu yap yue ' +
    // The Americas
    'acf arn cab cak chr djk esu gcf gcr guc hwc jam kek lkt mam mic miq moe moh nhe ojb pap quc ' +
    'quy quz srn tzh tzo yua zap'
  ).split(' '),
);

/** Where ISO's name is not the usual one. */
const NAMES: Readonly<Record<string, string>> = {
  dv: 'Maldivian',
  el: 'Greek',
  fy: 'Frisian',
  ht: 'Haitian Creole',
  ia: 'Interlingua',
  kl: 'Greenlandic',
  ky: 'Kyrgyz',
  or: 'Odia',
  pa: 'Punjabi',
  ps: 'Pashto',
  rn: 'Kirundi',
  to: 'Tongan',
  ug: 'Uyghur',
  ady: 'Adyghe',
  ckb: 'Sorani Kurdish',
  kmr: 'Kurmanji Kurdish',
  nan: 'Taiwanese Hokkien',
  nso: 'Sepedi',
  prs: 'Dari',
  toi: 'Tonga (Zambia)',
  vls: 'Flemish',
  yue: 'Cantonese',
};
const ASIDE = / \([^)]*\)/g;

/** Every language with a two-letter code, and the three-letter ones above; names in English. */
export function listLanguageRecords(): LanguageRecord[] {
  return iso6393
    .filter(({ iso6391, iso6393: code }) => iso6391 || THREE_LETTERS.has(code))
    .map(({ iso6391, iso6393: long, name }) => {
      const code = iso6391 ?? long;
      return { code, name: NAMES[code] ?? name.replaceAll(ASIDE, '') };
    });
}
