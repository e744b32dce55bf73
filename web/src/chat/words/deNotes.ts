import type { enNotes } from './enNotes.ts';
import type { TranslatedCatalogue } from '../../i18n/words.ts';

/** German version of enNotes.ts. docs/translating.md defines the tone. */
export const deNotes = {
  youInList: 'du',
  others_one: '{{count}} weitere Person',
  others_other: '{{count}} weitere Personen',
  group_created: { byYou: 'Du hast diese Gruppe erstellt', other: '{{actor}} hat diese Gruppe erstellt' },
  member_joined: { byYou: 'Du bist beigetreten', other: '{{actor}} ist beigetreten' },
  member_admitted: {
    byYou: 'Du hast {{person}} eingelassen',
    ofYou: '{{actor}} hat dich eingelassen',
    other: '{{actor}} hat {{person}} eingelassen',
  },
  member_added: { byYou: 'Du hast {{people}} hinzugefügt', other: '{{actor}} hat {{people}} hinzugefügt' },
  member_left: { byYou: 'Du hast die Gruppe verlassen', other: '{{actor}} hat die Gruppe verlassen' },
  member_removed: {
    byYou: 'Du hast {{person}} entfernt',
    ofYou: '{{actor}} hat dich entfernt',
    other: '{{actor}} hat {{person}} entfernt',
  },
  member_banned: {
    byYou: 'Du hast {{person}} ausgesperrt',
    ofYou: '{{actor}} hat dich ausgesperrt',
    other: '{{actor}} hat {{person}} ausgesperrt',
  },
  admin_made: {
    byYou: 'Du hast {{person}} zum Admin gemacht',
    ofYou: '{{actor}} hat dich zum Admin gemacht',
    other: '{{actor}} hat {{person}} zum Admin gemacht',
  },
  admin_unmade: {
    byYou: 'Du hast {{person}} die Adminrechte genommen',
    ofYou: '{{actor}} hat dir die Adminrechte genommen',
    other: '{{actor}} hat {{person}} die Adminrechte genommen',
  },
  owner_changed: {
    byYou: 'Du hast die Gruppe an {{person}} übergeben',
    ofYou: '{{actor}} hat dir die Gruppe übergeben',
    other: '{{actor}} hat die Gruppe an {{person}} übergeben',
  },
  name_changed: {
    byYou: 'Du hast die Gruppe „{{name}}“ genannt',
    other: '{{actor}} hat die Gruppe „{{name}}“ genannt',
  },
  description_changed: {
    byYou: 'Du hast die Beschreibung geändert',
    other: '{{actor}} hat die Beschreibung geändert',
  },
  picture_changed: { byYou: 'Du hast das Bild geändert', other: '{{actor}} hat das Bild geändert' },
  picture_removed: { byYou: 'Du hast das Bild entfernt', other: '{{actor}} hat das Bild entfernt' },
  made_public: {
    byYou: 'Du hast die Gruppe öffentlich gemacht',
    other: '{{actor}} hat die Gruppe öffentlich gemacht',
  },
  made_private: { byYou: 'Du hast die Gruppe privat gemacht', other: '{{actor}} hat die Gruppe privat gemacht' },
  settings_changed: {
    byYou: 'Du hast die Einstellungen der Gruppe geändert',
    other: '{{actor}} hat die Einstellungen der Gruppe geändert',
  },
  timer_set: {
    byYou: 'Du hast festgelegt, dass neue Nachrichten {{time}} bleiben',
    other: '{{actor}} hat festgelegt, dass neue Nachrichten {{time}} bleiben',
  },
  timer_off: {
    byYou: 'Du hast verschwindende Nachrichten ausgeschaltet',
    other: '{{actor}} hat verschwindende Nachrichten ausgeschaltet',
  },
  group_call: { byYou: 'Du hast einen Anruf begonnen', other: '{{actor}} hat einen Anruf begonnen' },
  group_call_over: {
    byYou: 'Du hast einen Anruf begonnen, der {{time}} dauerte',
    other: '{{actor}} hat einen Anruf begonnen, der {{time}} dauerte',
  },
  message_pinned: { byYou: 'Du hast eine Nachricht angeheftet', other: '{{actor}} hat eine Nachricht angeheftet' },
} as const satisfies TranslatedCatalogue<typeof enNotes>;
