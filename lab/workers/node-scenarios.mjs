// The scenarios of the lab that contestants in JavaScript take part in: what JSON carries without loss.

export const LISTS = ['person', 'order', 'rows', 'countries'];

export const DOCUMENTS = ['real-countries', 'real-mime', 'real-emoji', 'real-atlas', 'real-compat', 'real-cities'];

export const EVERYTHING = [...LISTS, ...DOCUMENTS];
