import type { Self } from '@nolo/api';
import { useReducer } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { ApiError } from '../../api/request.ts';
import { sendCode, sendMailCode, verifyCode, verifyMailCode } from '../../api/verification.ts';
import type { SecondStepChallenge } from '../factor/SecondStep.tsx';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { toast } from '../../ui/toasts.ts';
import { readPhoneNumber } from '../../ui/phone/readPhoneNumber.ts';
import { toCodeDigits, codeLength, createPhoneForm, phoneFormReducer } from './phoneForm.ts';
import { useTexts } from '../../i18n/texts.ts';
import { phoneFormTexts } from './phoneFormTexts.ts';

type Purpose = 'signIn' | 'link' | 'prove';

interface PhoneVerificationOptions {
  number?: string;
  /** True for email in place of text messages. */
  mail?: boolean;
  /** Purpose other than signing in: to link the number to the signed-in account, or to prove the user's identity. */
  purpose?: Purpose;
  /** @param created true if the code opened a new account */
  onDone: (user: Self, created: boolean) => void;
}

/** Returns an error with a text from the server; other errors have no text worth showing. */
function refusalOf(error: unknown): ApiError | undefined {
  const refused = error instanceof ApiError && error.serverMessage !== '' && error.code !== 'internal_error';
  return refused ? error : undefined;
}

interface How {
  mail: boolean;
  purpose: Purpose;
}

/** Returns a plausible email address; only the code shows if it is real. */
function readMail(typed: string): string | undefined {
  const address = typed.trim();
  return /^\S+@\S+\.\S+$/.test(address) ? address : undefined;
}

/** Requests a code. Returns where it was sent, as the server parsed it. */
async function requestCode(to: string, { mail, purpose }: How): Promise<string> {
  if (!mail) return (await sendCode({ type: 'sms', phoneNumber: to })).phoneNumber;
  await sendMailCode({ email: to, ...(purpose === 'link' && { link: true }) });
  return to;
}

function bringCode({
  mail,
  purpose,
  sentTo,
  code,
  takeBack,
}: How & { sentTo: string; code: string; takeBack: boolean | undefined }) {
  const wanted = { code, ...(purpose === 'link' && { link: true }), ...(purpose === 'prove' && { prove: true }) };
  if (mail) return verifyMailCode({ email: sentTo, ...wanted });
  const invitation = purpose === 'signIn' ? readInvitationToken(location.hash) : undefined;
  return verifyCode({
    type: 'sms',
    phoneNumber: sentTo,
    ...wanted,
    ...(takeBack !== undefined && { takeBack }),
    ...(invitation !== undefined && { invitation }),
  });
}

/**
 * Runs both steps of proving a phone number or an email address, with every message of the specification, next to the
 * field.
 */
export function usePhoneVerification({ number, mail = false, purpose = 'signIn', onDone }: PhoneVerificationOptions) {
  const { t, i18n } = useTexts(phoneFormTexts);
  const [form, dispatch] = useReducer(phoneFormReducer, number, createPhoneForm);

  /** Returns the number to send a code to. If there is no number, shows an error and returns undefined. */
  const readNumber = async (): Promise<string | undefined> => {
    if (form.step === 'code') return form.sentTo;
    if (mail) {
      const typed = readMail(form.number);
      if (typed === undefined) dispatch({ type: 'numberRefused', error: t('phoneForm:errors.mailInvalid') });
      return typed;
    }
    const required = form.number.trim() === '';
    const phoneNumber = required ? null : await readPhoneNumber(form.number, form.country);
    if (phoneNumber !== null) return phoneNumber;
    const text = t('phoneForm:errors.phoneRequired.text');
    const title = t('phoneForm:errors.phoneRequired.title');
    dispatch({ type: 'numberRefused', error: required ? t('common.titled', { title, text }) : text });
    return undefined;
  };

  /** Sends a code to the number in the form, or to a known one; in step 2, a new code. */
  const send = async (known?: string) => {
    if (form.busy !== null) return;
    dispatch({ type: 'sending' });
    const phoneNumber = known ?? (await readNumber());
    if (phoneNumber === undefined) return;
    try {
      dispatch({ type: 'sent', phoneNumber: await requestCode(phoneNumber, { mail, purpose }), now: serverNow() });
      // Does not reveal if an address opens an account, and so if anything was sent.
      if (!mail || purpose !== 'signIn') toast({ kind: 'success', title: t('phoneForm:codeSent') });
    } catch (error) {
      const refusal = refusalOf(error);
      const words = refusal && explainServerError(i18n, refusal);
      const ofTheNumber =
        refusal !== undefined &&
        ['phone_number_invalid', 'phone_number_required', 'mail_address_invalid'].includes(refusal.code);
      const title = t('phoneForm:errors.sendRefused');
      dispatch({
        type: 'sendFailed',
        error: !words
          ? t('common.titled', {
              title: t('phoneForm:errors.sendFailed.title'),
              text: t('phoneForm:errors.sendFailed.text'),
            })
          : ofTheNumber
            ? words
            : t('common.titled', { title, text: words }),
        resendAt: serverNow() + (refusal?.retryAfterMs ?? 0),
      });
    }
  };

  const verify = async (code: string, takeBack?: boolean) => {
    if (form.busy !== null || form.spent) return;
    if (code === '') {
      const text = t('phoneForm:errors.codeRequired.text');
      const title = t('phoneForm:errors.codeRequired.title');
      dispatch({ type: 'verifyFailed', error: t('common.titled', { title, text }), wrong: false, spent: false });
    }
    if (code.length !== codeLength) return;
    dispatch({ type: 'verifying' });
    try {
      const answer = await bringCode({ mail, purpose, sentTo: form.sentTo, code, takeBack });
      onDone(answer.user, 'created' in answer && answer.created === true);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code === 'number_replaced') {
        dispatch({ type: 'replaced', at: String(refusal.details['replacedAt']) });
        return;
      }
      if (refusal?.code === 'second_factor_required') {
        dispatch({ type: 'secondStepAsked', challenge: refusal.details as unknown as SecondStepChallenge });
        return;
      }
      const words = refusal && explainServerError(i18n, refusal);
      const spent = refusal?.code === 'code_expired' || refusal?.code === 'code_exhausted';
      const wrong = spent || ['code_wrong', 'phone_taken', 'mail_taken'].includes(refusal?.code ?? '');
      const title = t(words ? 'phoneForm:errors.verifyRefused' : 'phoneForm:errors.verifyFailed.title');
      const text = words || t('phoneForm:errors.verifyFailed.text');
      dispatch({
        type: 'verifyFailed',
        error: t('common.titled', { title, text }),
        wrong,
        spent,
      });
    }
  };

  return {
    form,
    mail,
    purpose,
    typeNumber: (typed: string) => dispatch({ type: 'numberTyped', number: typed }),
    chooseCountry: (country: string) => dispatch({ type: 'countryChosen', country }),
    typeCode: (typed: string) => {
      dispatch({ type: 'codeTyped', code: typed });
      // The last digit submits the code.
      const code = toCodeDigits(typed);
      if (code !== form.code && code.length === codeLength) void verify(code);
    },
    send,
    verify: (takeBack?: boolean) => verify(form.code, takeBack),
    back: () => dispatch({ type: 'back' }),
  };
}

export type PhoneVerification = ReturnType<typeof usePhoneVerification>;

/** Returns the token of an email invitation from the link's hash; undefined without one. */
export const readInvitationToken = (hash: string): string | undefined =>
  new URLSearchParams(hash.slice(1)).get('invitation') ?? undefined;
