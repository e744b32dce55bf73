import type { IdentityWords } from './words.ts';

/** What this service writes to people, in English. */
export const enWords: IdentityWords = {
  codeText: (code, minutes) => `Your Nolo code is ${code}. It is valid for ${minutes} minutes. Do not share it.`,
  mailCode: {
    subject: 'Your Nolo code',
    text: (code, minutes) =>
      `Your Nolo code is ${code}. It is valid for ${minutes} minutes. Do not share it.\n\nYou did not ask for it? Then there is nothing to do: without the code nobody gets in.`,
  },
  device: (browser, system) => `${browser} on ${system}`,
  unknownDevice: 'an unknown device',
  unknownProvider: 'a sign-in provider',
  numberEnding: (digits) => `the number ending in ${digits}`,
  where: (device, time, place) => `on ${device}${place === undefined ? '' : ` near ${place}`} (${time})`,
  notices: {
    signed_in: {
      subject: 'New sign-in to your Nolo account',
      happened: ({ where }) => `Somebody signed in to your Nolo account ${where}.`,
    },
    phone_added: {
      subject: 'A phone number was added to your Nolo account',
      happened: ({ number, where }) => `To your Nolo account ${number} was added ${where}.`,
    },
    phone_replaced: {
      subject: 'The phone number of your Nolo account was changed',
      happened: ({ number, previousNumber, where }) =>
        `In your Nolo account ${previousNumber} was replaced by ${number} ${where}.`,
    },
    phone_removed: {
      subject: 'The phone number of your Nolo account was removed',
      happened: ({ previousNumber, where }) => `From your Nolo account ${previousNumber} was removed ${where}.`,
    },
    provider_added: {
      subject: 'A sign-in was added to your Nolo account',
      happened: ({ provider, where }) => `To your Nolo account the sign-in through ${provider} was added ${where}.`,
    },
    provider_removed: {
      subject: 'A sign-in was removed from your Nolo account',
      happened: ({ provider, where }) => `From your Nolo account the sign-in through ${provider} was removed ${where}.`,
    },
    passkey_added: {
      subject: 'A passkey was added to your Nolo account',
      happened: ({ where }) => `A passkey, with which one signs in to your Nolo account, was added ${where}.`,
    },
    passkey_removed: {
      subject: 'A passkey was removed from your Nolo account',
      happened: ({ where }) => `A passkey of your Nolo account was removed ${where}.`,
    },
    token_created: {
      subject: 'A personal access token was made for your Nolo account',
      happened: ({ where }) => `A personal access token, with which programs use your Nolo account, was made ${where}.`,
    },
    factor_added: {
      subject: 'Two-step verification was switched on for your Nolo account',
      happened: ({ where }) => `Two-step verification of your Nolo account was switched on ${where}.`,
    },
    factor_removed: {
      subject: 'Two-step verification was switched off for your Nolo account',
      happened: ({ where }) => `Two-step verification of your Nolo account was switched off ${where}.`,
    },
    recovery_renewed: {
      subject: 'New recovery codes were made for your Nolo account',
      happened: ({ where }) => `New recovery codes of your Nolo account were made, and the old ones ended, ${where}.`,
    },
    lock_on: {
      subject: 'The registration lock of your Nolo account was switched on',
      happened: ({ where }) => `The registration lock of your Nolo account was switched on ${where}.`,
    },
    lock_off: {
      subject: 'The registration lock of your Nolo account was switched off',
      happened: ({ where }) => `The registration lock of your Nolo account was switched off ${where}.`,
    },
    account_asked: {
      subject: 'Somebody asks for your Nolo account',
      happened: ({ opensAt, where }) =>
        `Somebody with your phone number, but without your second factor, asked for your Nolo account. From ${opensAt} on they get it, unless you refuse. It was asked for ${where}.`,
    },
    account_refused: {
      subject: 'A request for your Nolo account was refused',
      happened: ({ where }) => `The request for your Nolo account without the second factor was refused ${where}.`,
    },
    account_given: {
      subject: 'Your Nolo account was opened without the second factor',
      happened: ({ where }) =>
        `The waiting time was over and nobody refused, so somebody signed in to your Nolo account with your phone number alone, and two-step verification was switched off, ${where}.`,
    },
    account_closed: {
      subject: 'Your Nolo account will be deleted',
      happened: ({ where, deletesAt, byOperator }) =>
        `${byOperator ? 'Your Nolo account was closed by whoever runs this Nolo.' : `Your Nolo account was closed to be deleted ${where}.`}\n\nNobody finds it any more, and it will be deleted on ${deletesAt}. Whoever signs in to it before then can keep it.`,
    },
    email_added: {
      subject: 'An e-mail address was added to your Nolo account',
      happened: ({ mail, where }) =>
        `To your Nolo account the address ${mail} was added ${where}. Codes to sign in can go to it.`,
    },
    email_replaced: {
      subject: 'The e-mail address of your Nolo account was changed',
      happened: ({ mail, previousMail, where }) =>
        `In your Nolo account the address ${previousMail} was replaced by ${mail} ${where}. Codes to sign in go there now.`,
    },
    email_removed: {
      subject: 'The e-mail address of your Nolo account was removed',
      happened: ({ previousMail, where }) => `From your Nolo account the address ${previousMail} was removed ${where}.`,
    },
    account_kept: {
      subject: 'Your Nolo account is kept',
      happened: ({ where, byOperator }) =>
        `Your Nolo account, which was to be deleted, was opened again ${byOperator ? 'by whoever runs this Nolo' : where}, and is kept.`,
    },
    taken_back: {
      subject: 'Your Nolo account was taken back',
      happened: ({ number, where }) =>
        `Your Nolo account was taken back with ${number}, and all other devices were signed out, ${where}.`,
    },
    undone: {
      subject: 'Changes to your Nolo account were undone',
      happened: ({ where }) =>
        `Changes to your Nolo account were undone, and all other devices were signed out, ${where}.`,
    },
  },
  wasYou: 'If this was you, there is nothing to do.',
  wasNotYou: 'If it was not, open Nolo on a device that is signed in and choose “This wasn’t me” in the notice there.',
  askedByYou:
    'If this was you and you still have a device that is signed in, your authenticator app or a recovery code, you need not wait.',
  askedByOthers: 'If it was not, open Nolo on a device that is signed in and choose “Refuse” in the notice there.',
  numberCanReturn: 'For seven days whoever has the old number can also take the account back by signing in with it.',
  invitation: {
    subject: 'You are invited to Nolo',
    text: ({ host, link, until }) =>
      `Whoever runs Nolo at ${host} invites you to an account there.\n\nOpen this link and sign in, with your phone number or with this e-mail address:\n${link}\n\nThe invitation is for you alone, good once, and until ${until}. If you do not know why you got it, you need not do anything.`,
  },
  webhook: {
    subject: 'A webhook of your Nolo account was switched off',
    gone: 'It answered that it is gone (HTTP status 410).',
    silent: 'For five days nothing that was sent to it came through.',
    stopped: (host, why) => `Nothing is sent to your webhook at ${host} any more. ${why}`,
    again:
      'Once it takes requests again, switch it on in Nolo: Profile, API access, Webhooks. What was not delivered can be sent again there for 30 days.',
  },
};
