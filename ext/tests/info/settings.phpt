--TEST--
A word that polypack.session_on_failure doesn't know is refused with a warning
--EXTENSIONS--
polypack
--INI--
polypack.session_on_failure=destory
--FILE--
<?php
var_dump(ini_get('polypack.session_on_failure'));
?>
--EXPECTF--
%AWarning: PHP Startup: polypack.session_on_failure is keep or destroy, not "destory"; sessions are kept in Unknown on line 0
string(4) "keep"
