import { fileURLToPath } from 'node:url';
import { buildWebInto } from '../../../web/scripts/build.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/* Builds the app with a codec that reverses every text, into the given folder. */
await buildWebInto(process.argv[2] ?? '', [
  { find: /^.*\/contentCodec\.ts$/, replacement: path('contentCodec.ts') },
  { find: /^@nolo\/client\/content\/earlyText$/, replacement: path('earlyText.ts') },
]);
