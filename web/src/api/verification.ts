import { createVerification } from '@nolo/client/http/verification';
import { request } from './request.ts';

export const { postJson, sendCode, sendMailCode, verifyCode, verifyMailCode } = createVerification(request);
