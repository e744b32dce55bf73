import type { IdentityWords } from './words.ts';

/** German texts that this service sends to people; docs/translating.md describes Nolo's tone. */
export const deWords: IdentityWords = {
  codeText: (code, minutes) => `Dein Nolo-Code ist ${code}. Er gilt ${minutes} Minuten. Gib ihn nicht weiter.`,
  mailCode: {
    subject: 'Dein Nolo-Code',
    text: (code, minutes) =>
      `Dein Nolo-Code ist ${code}. Er gilt ${minutes} Minuten. Gib ihn nicht weiter.\n\nDu hast keinen Code angefordert? Dann musst du nichts tun: Ohne den Code kommt niemand in dein Konto.`,
  },
  device: (browser, system) => `${browser} auf ${system}`,
  unknownDevice: 'unbekanntes Gerät',
  unknownProvider: 'einen Anmeldedienst',
  numberEnding: (digits) => `die Nummer mit der Endung ${digits}`,
  where: (device, time, place) =>
    `Gerät: ${device}\n${place === undefined ? '' : `Ort (ungefähr): ${place}\n`}Zeit: ${time}`,
  notices: {
    signed_in: {
      subject: 'Neue Anmeldung bei deinem Nolo-Konto',
      happened: ({ where }) => `Bei deinem Nolo-Konto hat sich jemand angemeldet.\n\n${where}`,
    },
    phone_added: {
      subject: 'Telefonnummer zu deinem Nolo-Konto hinzugefügt',
      happened: ({ number, where }) => `Zu deinem Nolo-Konto wurde ${number} hinzugefügt.\n\n${where}`,
    },
    phone_replaced: {
      subject: 'Telefonnummer deines Nolo-Kontos geändert',
      happened: ({ number, previousNumber, where }) =>
        `In deinem Nolo-Konto wurde ${previousNumber} ersetzt: Es gilt jetzt ${number}.\n\n${where}`,
    },
    phone_removed: {
      subject: 'Telefonnummer deines Nolo-Kontos entfernt',
      happened: ({ previousNumber, where }) => `Aus deinem Nolo-Konto wurde ${previousNumber} entfernt.\n\n${where}`,
    },
    provider_added: {
      subject: 'Anmeldung zu deinem Nolo-Konto hinzugefügt',
      happened: ({ provider, where }) =>
        `Zu deinem Nolo-Konto wurde die Anmeldung über ${provider} hinzugefügt.\n\n${where}`,
    },
    provider_removed: {
      subject: 'Anmeldung aus deinem Nolo-Konto entfernt',
      happened: ({ provider, where }) =>
        `Aus deinem Nolo-Konto wurde die Anmeldung über ${provider} entfernt.\n\n${where}`,
    },
    passkey_added: {
      subject: 'Passkey zu deinem Nolo-Konto hinzugefügt',
      happened: ({ where }) =>
        `Zu deinem Nolo-Konto wurde ein Passkey hinzugefügt, mit dem man sich anmelden kann.\n\n${where}`,
    },
    passkey_removed: {
      subject: 'Passkey aus deinem Nolo-Konto entfernt',
      happened: ({ where }) => `Aus deinem Nolo-Konto wurde ein Passkey entfernt.\n\n${where}`,
    },
    token_created: {
      subject: 'Zugriffstoken für dein Nolo-Konto erstellt',
      happened: ({ where }) =>
        `Für dein Nolo-Konto wurde ein Zugriffstoken erstellt. Damit können Programme dein Konto benutzen.\n\n${where}`,
    },
    factor_added: {
      subject: 'Bestätigung in zwei Schritten für dein Nolo-Konto eingeschaltet',
      happened: ({ where }) => `Für dein Nolo-Konto wurde die Bestätigung in zwei Schritten eingeschaltet.\n\n${where}`,
    },
    factor_removed: {
      subject: 'Bestätigung in zwei Schritten für dein Nolo-Konto ausgeschaltet',
      happened: ({ where }) => `Für dein Nolo-Konto wurde die Bestätigung in zwei Schritten ausgeschaltet.\n\n${where}`,
    },
    recovery_renewed: {
      subject: 'Neue Wiederherstellungscodes für dein Nolo-Konto',
      happened: ({ where }) =>
        `Für dein Nolo-Konto wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.\n\n${where}`,
    },
    lock_on: {
      subject: 'Registrierungssperre für dein Nolo-Konto eingeschaltet',
      happened: ({ where }) => `Für dein Nolo-Konto wurde die Registrierungssperre eingeschaltet.\n\n${where}`,
    },
    lock_off: {
      subject: 'Registrierungssperre für dein Nolo-Konto ausgeschaltet',
      happened: ({ where }) => `Für dein Nolo-Konto wurde die Registrierungssperre ausgeschaltet.\n\n${where}`,
    },
    account_asked: {
      subject: 'Jemand fragt nach deinem Nolo-Konto',
      happened: ({ opensAt, where }) =>
        `Jemand mit deiner Telefonnummer, aber ohne deinen zweiten Schritt, fragt nach deinem Nolo-Konto. Die Person bekommt es am ${opensAt}, wenn du nicht ablehnst.\n\n${where}`,
    },
    account_refused: {
      subject: 'Anfrage nach deinem Nolo-Konto abgelehnt',
      happened: ({ where }) =>
        `Die Anfrage, dein Nolo-Konto ohne den zweiten Schritt zu öffnen, wurde abgelehnt.\n\n${where}`,
    },
    account_given: {
      subject: 'Dein Nolo-Konto wurde ohne den zweiten Schritt geöffnet',
      happened: ({ where }) =>
        `Die Wartezeit ist vorbei, und niemand hat abgelehnt: Jemand hat sich mit deiner Telefonnummer allein bei deinem Nolo-Konto angemeldet. Die Bestätigung in zwei Schritten ist jetzt ausgeschaltet.\n\n${where}`,
    },
    account_closed: {
      subject: 'Dein Nolo-Konto wird gelöscht',
      happened: ({ where, deletesAt, byOperator }) =>
        `${byOperator ? 'Dein Nolo-Konto wurde vom Betreiber geschlossen.' : `Dein Nolo-Konto wurde geschlossen, um gelöscht zu werden.\n\n${where}`}\n\nNiemand findet es mehr, und es wird am ${deletesAt} gelöscht. Wer sich vorher anmeldet, kann es behalten.`,
    },
    email_added: {
      subject: 'E-Mail-Adresse zu deinem Nolo-Konto hinzugefügt',
      happened: ({ mail, where }) =>
        `Zu deinem Nolo-Konto wurde die Adresse ${mail} hinzugefügt. An sie können Codes zum Anmelden gehen.\n\n${where}`,
    },
    email_replaced: {
      subject: 'E-Mail-Adresse deines Nolo-Kontos geändert',
      happened: ({ mail, previousMail, where }) =>
        `In deinem Nolo-Konto wurde die Adresse ${previousMail} ersetzt. Codes zum Anmelden gehen jetzt an ${mail}.\n\n${where}`,
    },
    email_removed: {
      subject: 'E-Mail-Adresse deines Nolo-Kontos entfernt',
      happened: ({ previousMail, where }) =>
        `Aus deinem Nolo-Konto wurde die Adresse ${previousMail} entfernt.\n\n${where}`,
    },
    account_kept: {
      subject: 'Dein Nolo-Konto bleibt',
      happened: ({ where, byOperator }) =>
        `Dein Nolo-Konto, das gelöscht werden sollte, wurde ${byOperator ? 'vom Betreiber ' : ''}wieder geöffnet und bleibt.${byOperator ? '' : `\n\n${where}`}`,
    },
    device_added: {
      subject: 'Gerät zu deinem Nolo-Konto hinzugefügt',
      happened: ({ where }) =>
        `Ein weiteres Gerät hat jetzt die Schlüssel deines Nolo-Kontos.

${where}`,
    },
    identity_replaced: {
      subject: 'Schlüssel deines Nolo-Kontos ersetzt',
      happened: ({ where }) =>
        `Dein Nolo-Konto hat mit neuen Schlüsseln von vorn begonnen. Die bisherigen Geräte verlieren ihre Schlüssel, und die Leute, mit denen du schreibst, sehen, dass du neue hast.

${where}`,
    },
    recovery_set: {
      subject: 'Wiederherstellungswörter für dein Nolo-Konto festgelegt',
      happened: ({ where }) =>
        `Für dein Nolo-Konto wurden Wiederherstellungswörter festgelegt. Wer sie hat, kann deine Schlüssel nutzen.

${where}`,
    },
    recovery_replaced: {
      subject: 'Wiederherstellungswörter deines Nolo-Kontos ersetzt',
      happened: ({ where }) =>
        `Die Wiederherstellungswörter deines Nolo-Kontos wurden ersetzt. Die alten gelten nicht mehr.

${where}`,
    },
    taken_back: {
      subject: 'Dein Nolo-Konto wurde zurückgeholt',
      happened: ({ number, where }) =>
        `Dein Nolo-Konto wurde durch ${number} zurückgeholt, und alle anderen Geräte wurden abgemeldet.\n\n${where}`,
    },
    undone: {
      subject: 'Änderungen an deinem Nolo-Konto rückgängig gemacht',
      happened: ({ where }) =>
        `Änderungen an deinem Nolo-Konto wurden rückgängig gemacht, und alle anderen Geräte wurden abgemeldet.\n\n${where}`,
    },
  },
  wasYou: 'Warst du das, musst du nichts tun.',
  wasNotYou:
    'Warst du es nicht, öffne Nolo auf einem angemeldeten Gerät und wähle dort im Hinweis „Das war ich nicht“.',
  askedByYou:
    'Warst du das und hast noch ein angemeldetes Gerät, deine Authenticator-App oder einen Wiederherstellungscode, musst du nicht warten.',
  askedByOthers: 'Warst du es nicht, öffne Nolo auf einem angemeldeten Gerät und wähle dort im Hinweis „Ablehnen“.',
  numberCanReturn:
    'Wer die alte Nummer hat, kann das Konto außerdem sieben Tage lang zurückholen und meldet sich dazu mit ihr an.',
  invitation: {
    subject: 'Du bist zu Nolo eingeladen',
    text: ({ host, link, until }) =>
      `Die Betreiber von Nolo unter ${host} laden dich zu einem Konto dort ein.\n\nÖffne diesen Link und melde dich mit deiner Telefonnummer oder mit dieser E-Mail-Adresse an:\n${link}\n\nDie Einladung ist nur für dich, gilt einmal und bis ${until}. Du weißt nicht, warum du sie bekommst? Dann musst du nichts tun.`,
  },
  webhook: {
    subject: 'Ein Webhook deines Nolo-Kontos wurde ausgeschaltet',
    gone: 'Er hat geantwortet, dass es ihn nicht mehr gibt (HTTP-Status 410).',
    silent: 'Fünf Tage lang ist nichts angekommen, was an ihn gesendet wurde.',
    stopped: (host, why) => `An deinen Webhook bei ${host} wird nichts mehr gesendet. ${why}`,
    again:
      'Sobald er wieder Anfragen annimmt, schalte ihn in Nolo ein: Profil, API-Zugang, Webhooks. Was nicht zugestellt wurde, kann dort 30 Tage lang noch einmal gesendet werden.',
  },
};
