export * from 'polypack/msgpackr';
