/** Error of Twilio's REST API. */
export interface TwilioError {
  status: number;
  code: number;
  message: string;
}

const error = (status: number, code: number, message: string): TwilioError => ({ status, code, message });

/** Codes and texts from Twilio's error reference (https://www.twilio.com/docs/api/errors). */
export const twilioErrors = {
  authenticate: error(401, 20003, 'Authenticate'),
  notFound: (path: string) => error(404, 20404, `The requested resource ${path} was not found`),
  missingTo: error(400, 21604, "A 'To' phone number is required."),
  missingFrom: error(400, 21603, "A 'From' phone number is required."),
  missingBody: error(400, 21602, 'Message body is required.'),
  bodyTooLong: error(400, 21617, 'The concatenated message body exceeds the 1600 character limit.'),
  invalidTo: (to: string) => error(400, 21211, `Invalid 'To' Phone Number: ${to}`),
} as const;

/**
 * Recipients that fail, as documented for Twilio's test credentials. The last two are ours, for errors that no test
 * credential can cause.
 */
export const failingRecipients: Readonly<Record<string, TwilioError>> = {
  '+15005550001': error(400, 21211, "Invalid 'To' Phone Number: +15005550001"),
  '+15005550002': error(400, 21612, 'Twilio cannot route messages to this number: +15005550002'),
  '+15005550003': error(
    400,
    21408,
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +15005550003",
  ),
  '+15005550004': error(400, 21610, 'Attempt to send to unsubscribed recipient'),
  '+15005550009': error(400, 21614, "'To' number is not a valid mobile number: +15005550009"),
  '+15005550029': error(429, 20429, 'Too Many Requests'),
  '+15005550050': error(503, 20503, 'Service is unavailable. Please try again'),
};

/** Senders that fail, as documented for Twilio's test credentials. */
export const failingSenders: Readonly<Record<string, TwilioError>> = {
  '+15005550001': error(400, 21212, "Invalid 'From' Phone Number: +15005550001"),
  '+15005550007': error(
    400,
    21606,
    "The 'From' phone number +15005550007 is not a valid, message-capable number for your account.",
  ),
  '+15005550008': error(400, 21611, "This 'From' number has exceeded the maximum number of queued messages"),
};
