/** Sign of clients that seal and open envelopes themselves (ADR 39): a header, or a parameter of the query. */
export const contentFormHeader = 'nolo-content';
export const contentFormParameter = 'content';
export const sealedForm = 'sealed';
