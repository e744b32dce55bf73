/**
 * Messages as people of four languages write them, always identical: words by Zipf's law with a long tail (a twelfth of
 * all words are from a tail of 200,000), lengths of a few words with some long ones, including file names, addresses,
 * numbers and emoji.
 */

const common = {
  en: 'the to and you I a it is in that of for on me we be have are this will so can just not with at but your my was get do what up if all know see there out time one about good like when now tomorrow today meeting please thanks yes no going home work call lunch dinner train ticket invoice report weekend birthday kitchen garden office station weather holiday doctor school photo',
  de: 'ich du und die der das ist nicht es wir ein zu in mit auf für haben auch bin was aber noch dann so wie wenn schon mal morgen heute später könnte müssen schön über Grüße Frühstück Bahnhof Straße Tür Küche Büro Ärztin Öffnungszeiten Rückfahrt Geburtstag Wochenende Rechnung Besprechung Urlaub Wetter Mittagessen gerne danke bitte vielleicht natürlich nächste Woche',
  ar: 'في من على أن إلى هذا ما لا أنا أنت هو مع كان عن كل قال لم بعد اليوم غدا شكرا نعم العمل البيت الاجتماع الساعة المدرسة الطريق السيارة الكتاب الرسالة الصورة القهوة العائلة المساء الصباح موعد تذكرة فاتورة مطار مدينة صديق',
} as const;
const chinese =
  '的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许先口由死安写性马光白或住难望教命花结乐色';

/** Returns a fixed sequence of numbers from 0 to 1 (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = {
  en: 'ba con der ing tion pre sta ver ment al per tor lin gra ser ful ness com pro ter mi ca ro sen dle ly out under er est'.split(
    ' ',
  ),
  de: 'ge ver be ung heit stra schl mü grö ßen lich keit zer sche ein aus vor nach ber tag haus werk zeug schaft fahr le ne'.split(
    ' ',
  ),
  ar: 'كت مد سل حر قو نا مس تر لي را دا عم شر بن جم فه وص طر ين ات ون'.split(' '),
};

export interface MixedMessage {
  readonly text: string;
  readonly kind: 'text' | 'link' | 'media' | 'file' | 'voice';
}

export function generateMixedMessages(count: number): MixedMessage[] {
  const random = seededRandom(20_261_125);
  const below = (end: number) => Math.floor(random() * end);
  /** Returns a rank: smaller numbers are more likely, by Zipf's law. */
  const rank = (size: number) => Math.floor(Math.exp(random() * Math.log(size + 1))) - 1;
  const tailWord = (language: keyof typeof syllables): string => {
    // The word of a rank is always the same.
    const of = seededRandom(rank(200_000) * 31 + language.length + language.charCodeAt(0));
    const ownSyllables = syllables[language];
    const length = 2 + Math.floor(of() * 3);
    return Array.from({ length }, () => ownSyllables[Math.floor(of() * ownSyllables.length)]).join('');
  };
  const lists = { en: common.en.split(' '), de: common.de.split(' '), ar: common.ar.split(' ') };
  const spaced = (language: keyof typeof lists, words: number): string =>
    Array.from({ length: words }, () => {
      const list = lists[language];
      return random() < 0.25 ? tailWord(language) : (list[rank(list.length)] ?? '');
    }).join(' ');
  const signs = Array.from(chinese);
  /** Returns a character: 70 % from the common ones, and the others from 3,500. */
  const sign = (): string =>
    random() < 0.7 ? (signs[rank(signs.length)] ?? '') : String.fromCodePoint(0x4e00 + rank(3_500));
  const unspaced = (words: number): string =>
    Array.from({ length: words }, () => sign() + (random() < 0.6 ? sign() : '')).join('');
  const write = (): string => {
    const words = Math.max(1, Math.round(Math.exp(1.9 + (random() + random() + random() - 1.5) * 1.6)));
    const of = random();
    if (of < 0.4) return spaced('en', words);
    if (of < 0.7) return spaced('de', words);
    return of < 0.85 ? spaced('ar', words) : unspaced(words);
  };
  return Array.from({ length: count }, (): MixedMessage => {
    const of = random();
    if (of < 0.03) return { kind: 'file', text: `${tailWord('en')}_${2_020 + below(7)}-${1 + below(12)}.pdf` };
    if (of < 0.07) return { kind: 'media', text: random() < 0.5 ? write() : `IMG_${below(9_999)}.jpg` };
    if (of < 0.1) return { kind: 'link', text: `${write()} https://${tailWord('en')}.example/${below(99_999)}` };
    if (of < 0.12) return { kind: 'voice', text: write() };
    return { kind: 'text', text: `${write()}${random() < 0.1 ? ' 🙂' : ''}${random() < 0.3 ? '!' : ''}` };
  });
}
