import { slot } from '#pages/slots.ts';
import { Unless, When } from '#pages/When.tsx';

/** Who runs this installation, as its configuration says. */
export const Operator = () => (
  <p>
    <When set="operatorName">{slot('operatorName')}</When>
    <Unless set="operatorName">
      The name of who runs this installation is not stated. Ask whoever gave you its address.
    </Unless>
    <br />
    <When set="operatorAddress">{slot('operatorAddress')}</When>
    <Unless set="operatorAddress">Their postal address is not stated.</Unless>
  </p>
);

/** Where people write to. */
export const WriteTo = () => (
  <>
    <When set="supportEmail">
      Write to <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>, or use{' '}
    </When>
    <Unless set="supportEmail">Use </Unless>
    <a href="/support">the form on the support page</a>
  </>
);
