// Words of the payloads.

/** ASCII words of 2 to 13 letters. */
export const WORDS = [
  ...[
    'anchor',
    'basket',
    'cedar',
    'delta',
    'ember',
    'fabric',
    'garden',
    'harbor',
    'island',
    'jacket',
    'kernel',
    'lantern',
  ],
  ...['meadow', 'needle', 'orchard', 'pepper', 'quartz', 'ribbon', 'saddle', 'timber', 'umbrella', 'velvet', 'willow'],
  ...['yard', 'zinc', 'of', 'to', 'as', 'by', 'at', 'old', 'red', 'new', 'cold', 'warm', 'north', 'south', 'bridge'],
  ...['construction', 'measurement', 'neighbourhood', 'observation', 'particular', 'remarkable', 'temperature'],
];

/** Sentences to cut posts from. */
const SENTENCES = {
  zh: '今天的天气很好,我们一起去公园散步。湖边的树叶已经变黄,孩子们在草地上放风筝,老人坐在长椅上聊天。',
  ja: '朝の市場には新鮮な魚と野菜が並んでいます。駅までの道は静かで、遠くから鐘の音がゆっくり聞こえてきました。',
  ru: 'Утром над рекой стоял густой туман, и лодки медленно выходили из гавани. К полудню стало тепло, и площадь наполнилась людьми. ',
  fr: 'Le marché ouvre tôt près de la rivière, où les pêcheurs déchargent leurs paniers. À midi, la place s’anime et le café déborde. ',
  en: 'The ferry leaves the harbour at nine and reaches the island before noon. Bring a coat, for the wind is cold on the open deck. ',
} as const;

/** Text of `length` units in a language, cut anywhere between two characters. */
export function text(lang: keyof typeof SENTENCES, length: number, next: () => number): string {
  const source = SENTENCES[lang];
  const start = Math.floor(next() * source.length);
  return source.repeat(Math.ceil(length / source.length) + 1).slice(start, start + length);
}
