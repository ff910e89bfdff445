<?php

declare(strict_types=1);

// One value of a message by its path, and parts that are passed on as they are.

use Polypack\BufferUnpacker;
use Polypack\MessagePack;

require_once __DIR__ . '/../vendor/autoload.php';

$packed = MessagePack::pack([
    'route' => 'billing',
    'users' => [['name' => 'Ada', 'roles' => ['admin']], ['name' => 'Linus', 'roles' => []]],
]);

echo json_encode([
    MessagePack::get($packed, '/route'),
    MessagePack::get($packed, '/users/1/name'),
    MessagePack::get($packed, '/users/7/name', default: 'nobody'),
]), "\n";

// Raw stays packed: it is read later, or never, and packed again without being decoded.
$users = (new BufferUnpacker($packed))->getRaw('/users');
echo json_encode($users?->get('/0/roles')), "\n";
echo json_encode(MessagePack::unpack(MessagePack::pack(['forwarded' => $users]))), "\n";

/* OUTPUT
["billing","Linus","nobody"]
["admin"]
{"forwarded":[{"name":"Ada","roles":["admin"]},{"name":"Linus","roles":[]}]}
*/
