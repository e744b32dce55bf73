import { createContext } from 'react';

/** False until a list's rows are visible. Elements that only a press needs are rendered after that. */
export const RowsSettledContext = createContext(true);
