import app from '../../locales/de/app.json' with { type: 'json' };
import type { Catalogue, OtherLanguage } from '../i18n/texts.ts';

const rooms = import.meta.glob<Catalogue>(['../../locales/de/*.json', '!../../locales/de/app.json'], {
  import: 'default',
});

/** German, loaded only if the app uses it. Each room's texts are a file. */
export const german: OtherLanguage = { app, load: (namespace) => rooms[`../../locales/de/${namespace}.json`]?.() };
