/** Error in OpenAI's format: https://platform.openai.com/docs/guides/error-codes */
export interface TranscriptionError {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly message: string;
}

const invalid = (
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
): TranscriptionError => ({ status, type: 'invalid_request_error', code, param, message });

export const formats = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'] as const;

/** 25 MB, as documented. */
export const maxUploadBytes = 26_214_400;

/** Errors that answers can request by name. */
export const namedErrors = {
  invalid_api_key: invalid(
    401,
    'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.',
    'invalid_api_key',
  ),
  model_not_found: invalid(404, 'The model does not exist or you do not have access to it.', 'model_not_found'),
  invalid_file: invalid(400, `Invalid file format. Supported formats: ${JSON.stringify(formats)}`),
  rate_limit_exceeded: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    param: null,
    message: 'Rate limit reached for whisper-1 on requests per min. Please try again later.',
  },
  insufficient_quota: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    param: null,
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  server_error: {
    status: 500,
    type: 'server_error',
    code: null,
    param: null,
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  overloaded: {
    status: 503,
    type: 'server_error',
    code: null,
    param: null,
    message: 'The engine is currently overloaded, please try again later.',
  },
} as const satisfies Record<string, TranscriptionError>;

export const keyMissing = invalid(
  401,
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
);
export const formMissing = invalid(400, 'Could not parse multipart form');
export const fieldMissing = (field: string) => invalid(400, `you must provide a ${field} parameter`, null, field);
export const fileTooShort = invalid(
  400,
  'Audio file is too short. Minimum audio length is 0.1 seconds.',
  'audio_too_short',
  'file',
);
export const fileTooLarge = (bytes: number): TranscriptionError => ({
  status: 413,
  type: 'server_error',
  code: null,
  param: null,
  message: `Maximum content size limit (${maxUploadBytes}) exceeded (${bytes} bytes read)`,
});
