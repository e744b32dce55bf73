import type { Self } from '@nolo/api';
import { useReducer } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/request.ts';
import { sendCode, verifyCode } from '../../api/verification.ts';
import { serverWords } from '../../i18n/serverWords.ts';
import { toast } from '../../state/toasts.ts';
import { codeLength, emptyPhoneForm, phoneFormReducer } from './phoneForm.ts';
import type { PhoneForm } from './phoneForm.ts';

export interface PhoneVerification {
  form: PhoneForm;
  typeNumber: (number: string) => void;
  typeCode: (code: string) => void;
  /** Sends a code to the number in the form; in step 2, a new one. */
  send: () => Promise<void>;
  verify: () => Promise<void>;
  back: () => void;
}

export interface PhoneVerificationOptions {
  /** A number to begin with. */
  number?: string;
  /** Links the number to the account that is signed in, instead of signing in. */
  link?: boolean;
  onDone: (user: Self) => void;
}

/** A refusal has words of the server's own; whatever else went wrong has none worth showing. */
function refusalOf(error: unknown): ApiError | undefined {
  const refused = error instanceof ApiError && error.serverMessage !== '' && error.code !== 'internal_error';
  return refused ? error : undefined;
}

/** Both steps of proving that a phone number is one's own, with every message and toast of the specification. */
export function usePhoneVerification({ number, link = false, onDone }: PhoneVerificationOptions): PhoneVerification {
  const { t, i18n } = useTranslation();
  const [form, dispatch] = useReducer(phoneFormReducer, number, emptyPhoneForm);

  const send = async () => {
    if (form.busy !== null) return;
    const phoneNumber = form.step === 'code' ? form.sentTo : form.number.trim();
    if (phoneNumber === '') {
      const text = t('errors.verification.phoneRequired.text');
      dispatch({ type: 'numberRefused', error: text });
      toast({ kind: 'error', title: t('errors.verification.phoneRequired.title'), description: text });
      return;
    }
    dispatch({ type: 'sending' });
    try {
      const sent = await sendCode({ type: 'sms', phoneNumber });
      dispatch({ type: 'sent', phoneNumber: sent.phoneNumber, now: Date.now() });
      toast({ kind: 'success', title: t('auth.codeSent') });
    } catch (error) {
      const refusal = refusalOf(error);
      const words = refusal && serverWords(i18n, refusal);
      const ofTheNumber = refusal?.code === 'phone_number_invalid' || refusal?.code === 'phone_number_required';
      dispatch({
        type: 'sendFailed',
        error: (ofTheNumber && words) || null,
        resendAt: Date.now() + (refusal?.retryAfterMs ?? 0),
      });
      toast({
        kind: 'error',
        title: words ? t('errors.verification.sendRefused') : t('errors.verification.sendFailed.title'),
        description: words ?? t('errors.verification.sendFailed.text'),
      });
    }
  };

  const verify = async () => {
    if (form.busy !== null) return;
    if (form.code.trim() === '') {
      toast({
        kind: 'error',
        title: t('errors.verification.codeRequired.title'),
        description: t('errors.verification.codeRequired.text'),
      });
      return;
    }
    if (form.code.length !== codeLength || form.spent) return;
    dispatch({ type: 'verifying' });
    try {
      const body = { type: 'sms', phoneNumber: form.sentTo, code: form.code, ...(link && { link }) } as const;
      onDone((await verifyCode(body)).user);
    } catch (error) {
      const refusal = refusalOf(error);
      const words = refusal && serverWords(i18n, refusal);
      const spent = refusal?.code === 'code_expired' || refusal?.code === 'code_exhausted';
      const ofTheCode = spent || refusal?.code === 'code_wrong' || refusal?.code === 'phone_taken';
      dispatch({ type: 'verifyFailed', error: (ofTheCode && words) || null, spent });
      toast({
        kind: 'error',
        title: words ? t('errors.verification.verifyRefused') : t('errors.verification.verifyFailed.title'),
        description: words ?? t('errors.verification.verifyFailed.text'),
      });
    }
  };

  return {
    form,
    typeNumber: (typed) => dispatch({ type: 'numberTyped', number: typed }),
    typeCode: (typed) => dispatch({ type: 'codeTyped', code: typed }),
    send,
    verify,
    back: () => dispatch({ type: 'back' }),
  };
}
