<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload\Order;

enum Status: string
{
    case Open = 'open';
    case Paid = 'paid';
    case Shipped = 'shipped';
    case Cancelled = 'cancelled';
}
