import { texts } from '../i18n/text.ts';

/** The group of the keys that do the same on every screen. */
export const everywhereText = texts({ everywhere: 'Everywhere' }, { everywhere: 'Partout' });
