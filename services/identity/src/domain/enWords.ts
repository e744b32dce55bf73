import type { IdentityWords } from './words.ts';

/** English texts that this service sends to people. */
export const enWords: IdentityWords = {
  codeText: (code, minutes) => `Your Nolo code is ${code}. It is valid for ${minutes} minutes. Do not share it.`,
  mailCode: {
    subject: 'Your Nolo code',
    text: (code, minutes) =>
      `Your Nolo code is ${code}. It is valid for ${minutes} minutes. Do not share it.\n\nIf you didn’t ask for it, you can ignore this email: nobody can get in without the code.`,
  },
  device: (browser, system) => `${browser} on ${system}`,
  unknownDevice: 'an unknown device',
  unknownProvider: 'a sign-in provider',
  numberEnding: (digits) => `the number ending in ${digits}`,
  where: (device, time, place) => `on ${device}${place === undefined ? '' : ` near ${place}`} (${time})`,
  notices: {
    signed_in: {
      subject: 'New sign-in to your Nolo account',
      happened: ({ where }) => `Someone signed in to your Nolo account ${where}.`,
    },
    phone_added: {
      subject: 'A phone number was added to your Nolo account',
      happened: ({ number, where }) => `Your Nolo account now has ${number}. It was added ${where}.`,
    },
    phone_replaced: {
      subject: 'The phone number of your Nolo account was changed',
      happened: ({ number, previousNumber, where }) =>
        `The phone number of your Nolo account was changed from ${previousNumber} to ${number} ${where}.`,
    },
    phone_removed: {
      subject: 'The phone number of your Nolo account was removed',
      happened: ({ previousNumber, where }) =>
        `Your Nolo account no longer has ${previousNumber}. It was removed ${where}.`,
    },
    provider_added: {
      subject: 'A sign-in method was added to your Nolo account',
      happened: ({ provider, where }) => `Sign-in with ${provider} was added to your Nolo account ${where}.`,
    },
    provider_removed: {
      subject: 'A sign-in method was removed from your Nolo account',
      happened: ({ provider, where }) => `Sign-in with ${provider} was removed from your Nolo account ${where}.`,
    },
    passkey_added: {
      subject: 'A passkey was added to your Nolo account',
      happened: ({ where }) =>
        `A passkey was added to your Nolo account ${where}. Anyone who has it can sign in to your account.`,
    },
    passkey_removed: {
      subject: 'A passkey was removed from your Nolo account',
      happened: ({ where }) => `A passkey was removed from your Nolo account ${where}.`,
    },
    token_created: {
      subject: 'A personal access token was created for your Nolo account',
      happened: ({ where }) =>
        `A personal access token was created for your Nolo account ${where}. Programs can use your account with it.`,
    },
    factor_added: {
      subject: 'Two-step verification was turned on for your Nolo account',
      happened: ({ where }) => `Two-step verification was turned on for your Nolo account ${where}.`,
    },
    factor_removed: {
      subject: 'Two-step verification was turned off for your Nolo account',
      happened: ({ where }) => `Two-step verification was turned off for your Nolo account ${where}.`,
    },
    recovery_renewed: {
      subject: 'New recovery codes were created for your Nolo account',
      happened: ({ where }) =>
        `New recovery codes were created for your Nolo account ${where}. The old ones no longer work.`,
    },
    lock_on: {
      subject: 'The registration lock of your Nolo account was turned on',
      happened: ({ where }) => `The registration lock of your Nolo account was turned on ${where}.`,
    },
    lock_off: {
      subject: 'The registration lock of your Nolo account was turned off',
      happened: ({ where }) => `The registration lock of your Nolo account was turned off ${where}.`,
    },
    account_asked: {
      subject: 'Someone is asking for access to your Nolo account',
      happened: ({ opensAt, where }) =>
        `Someone who has your phone number, but not your second step, asked for access to your Nolo account ${where}. They get in on ${opensAt} unless you refuse.`,
    },
    account_refused: {
      subject: 'Access to your Nolo account was refused',
      happened: ({ where }) =>
        `The request for access to your Nolo account without the second step was refused ${where}.`,
    },
    account_given: {
      subject: 'Your Nolo account was opened without the second step',
      happened: ({ where }) =>
        `The waiting time ended and nobody refused, so someone signed in to your Nolo account with just your phone number ${where}. Two-step verification is now off.`,
    },
    account_closed: {
      subject: 'Your Nolo account will be deleted',
      happened: ({ where, deletesAt, byOperator }) =>
        `${byOperator ? 'The operators of this Nolo closed your account.' : `Your Nolo account was closed for deletion ${where}.`}\n\nNobody can find it now, and it will be deleted on ${deletesAt}. To keep it, sign in before then.`,
    },
    email_added: {
      subject: 'An email address was added to your Nolo account',
      happened: ({ mail, where }) =>
        `The email address ${mail} was added to your Nolo account ${where}. It can receive sign-in codes.`,
    },
    email_replaced: {
      subject: 'The email address of your Nolo account was changed',
      happened: ({ mail, previousMail, where }) =>
        `The email address of your Nolo account was changed from ${previousMail} to ${mail} ${where}. Sign-in codes now go to ${mail}.`,
    },
    email_removed: {
      subject: 'The email address of your Nolo account was removed',
      happened: ({ previousMail, where }) =>
        `The email address ${previousMail} was removed from your Nolo account ${where}.`,
    },
    account_kept: {
      subject: 'Your Nolo account will not be deleted',
      happened: ({ where, byOperator }) =>
        `Your Nolo account was about to be deleted. ${byOperator ? 'The operators of this Nolo reopened it' : `It was reopened ${where}`}, and you keep it.`,
    },
    device_added: {
      subject: 'A device was added to your Nolo account',
      happened: ({ where }) => `Another device now has the keys of your Nolo account. It was added ${where}.`,
    },
    identity_replaced: {
      subject: 'The keys of your Nolo account were replaced',
      happened: ({ where }) =>
        `Your Nolo account started over with new keys ${where}. The former devices lose their keys, and the people you write with see that your keys changed.`,
    },
    recovery_set: {
      subject: 'Recovery words were set for your Nolo account',
      happened: ({ where }) =>
        `Recovery words were set for your Nolo account ${where}. Anyone who has them can use your keys.`,
    },
    recovery_replaced: {
      subject: 'The recovery words of your Nolo account were replaced',
      happened: ({ where }) =>
        `The recovery words of your Nolo account were replaced ${where}. The old ones no longer work.`,
    },
    taken_back: {
      subject: 'Your Nolo account was taken back',
      happened: ({ number, where }) =>
        `Your Nolo account was taken back with ${number} ${where}. All other devices were logged out.`,
    },
    undone: {
      subject: 'Changes to your Nolo account were undone',
      happened: ({ where }) => `Changes to your Nolo account were undone ${where}. All other devices were logged out.`,
    },
  },
  wasYou: 'If this was you, you don’t need to do anything.',
  wasNotYou: 'If it wasn’t, open Nolo on a device that is signed in and choose “This wasn’t me” in the notice there.',
  askedByYou:
    'If this was you and you still have a signed-in device, your authenticator app or a recovery code, you don’t need to wait.',
  askedByOthers: 'If it wasn’t, open Nolo on a device that is signed in and choose “Refuse” in the notice there.',
  numberCanReturn:
    'For seven days, anyone who has the old number can also take the account back by signing in with it.',
  invitation: {
    subject: 'You’re invited to Nolo',
    text: ({ host, link, until }) =>
      `The people who run Nolo at ${host} invite you to create an account there.\n\nOpen this link and sign in with your phone number or with this email address:\n${link}\n\nThe invitation is for you alone. It works once, until ${until}. If you don’t know why you got it, you can ignore it.`,
  },
  webhook: {
    subject: 'A webhook of your Nolo account was turned off',
    gone: 'It replied that it is gone (HTTP status 410).',
    silent: 'For five days, every delivery to it failed.',
    stopped: (host, why) => `Nolo no longer sends anything to your webhook at ${host}. ${why}`,
    again:
      'Once it accepts requests again, turn it back on in Nolo: Profile, API access, Webhooks. For 30 days, you can resend there what wasn’t delivered.',
  },
};
